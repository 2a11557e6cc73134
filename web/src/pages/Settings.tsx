import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Input,
  Label,
  RadioButton,
  RadioField,
  RadioGroup,
  TextField,
} from 'react-aria-components';
import type { QuietHours as Hours } from '../../../contracts/people/noticing.js';
import { api } from '../api/calls.js';
import { Problem } from '../parts/Problem.js';
import { Button, Notice, Section, Switch, cx } from '../parts/ui.js';
import css from './Settings.module.css';
import { useState } from 'react';
import { atTime } from '../state/clock.js';
import { goOnWithPush, hasPush, hasWorkers, startPush, stopPush } from '../state/push.js';
import { tryNotice } from '../state/notices.js';
import { personOf, useMe, useSession, useSignOut } from '../state/session.js';
import {
  UNDO_SECONDS,
  undoSeconds,
  useSettings,
  type Settings as Kept,
} from '../state/settings.js';
import { Link, useLocation } from 'wouter';
import type { Me } from '../../../contracts/people/session.js';
import { useKeys } from '../state/keys.js';
import { lastList } from '../state/list/views.js';
import { BackLink } from '../parts/Navigation.js';
import { visible } from '../state/list/visible.js';

const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;

/** Returns the hours that are suggested at first, in the local time zone. */
function usualHours(): Hours {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { time_zone, from: '19:00', to: '08:00', whole_days: [] };
}

function QuietHours() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['quiet-hours'],
    queryFn: ({ signal }) => api.quietHours(signal),
  });
  const change = useMutation({
    mutationFn: async (hours: Hours | null) => {
      await (hours === null ? api.endQuietHours() : api.setQuietHours(hours));
      client.setQueryData(['quiet-hours'], hours);
    },
  });
  const { data: hours } = query;
  if (hours === undefined) return null;
  const save = (part: Partial<Hours>) => {
    change.mutate({ ...usualHours(), ...hours, ...part });
  };
  return (
    <>
      <Switch
        isOn={hours !== null}
        onChange={(isOn) => {
          change.mutate(isOn ? usualHours() : null);
        }}
      >
        Quiet hours, in every browser of mine
      </Switch>
      {hours !== null && <Times hours={hours} save={save} />}
      {change.error && <Problem error={change.error} />}
    </>
  );
}

interface TimesProps {
  readonly hours: Hours;
  readonly save: (part: Partial<Hours>) => void;
}

function Times({ hours, save }: TimesProps) {
  return (
    <>
      <div className={css.times}>
        <Time
          label="From"
          value={hours.from}
          onSave={(from) => {
            save({ from });
          }}
        />
        <Time
          label="To"
          value={hours.to}
          onSave={(to) => {
            save({ to });
          }}
        />
        <span className={css.hint}>{hours.time_zone}</span>
      </div>
      <div role="group" aria-label="Quiet all day" className="wrapping">
        <span>Quiet all day:</span>
        {DAYS.map(([day, name]) => (
          <Switch
            key={day}
            isOn={hours.whole_days.includes(day)}
            onChange={(isOn) => {
              const others = hours.whole_days.filter((one) => one !== day);
              save({ whole_days: isOn ? [...others, day] : others });
            }}
          >
            {name}
          </Switch>
        ))}
      </div>
    </>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: string;
  readonly onSave: (value: string) => void;
}

/** A time of day, which counts once it is complete. */
function Time({ label, value, onSave }: TimeProps) {
  return (
    <TextField
      className="tick"
      type="time"
      defaultValue={value}
      onChange={(entered) => {
        if (entered !== '') onSave(entered);
      }}
    >
      <Label>{label}</Label>
      <Input />
    </TextField>
  );
}

/** How a person notices questions in this browser. The browser is asked for its permission here, and nowhere else. */
export function Notifications() {
  const [{ notifies, showsWords, sounds }, change] = useSettings();
  const [permission, setPermission] = useState(permissionNow);
  const allow = async (isOn: boolean) => {
    const given = isOn ? await Notification.requestPermission() : permission;
    setPermission(given);
    change({ notifies: isOn && given === 'granted' });
  };
  const isShown = notifies && permission === 'granted';
  return (
    <Section title="Notifications">
      <div className={css.fields}>
        {permission === 'none' && (
          <p className={css.hint}>
            This browser shows no notifications of this page. Browsers do so for pages from https:
            and from this machine alone.
          </p>
        )}
        {permission === 'denied' && (
          <Notice tone="warn" title="The browser blocks notifications of this page">
            <p>Allow them in its settings for this site, and load this page again.</p>
          </Notice>
        )}
        {permission !== 'none' && (
          <Switch isOn={isShown} isDisabled={permission === 'denied'} onChange={allow}>
            Show a notification when a question comes for me
          </Switch>
        )}
        {isShown && (
          <Switch
            isOn={showsWords}
            onChange={(isOn) => {
              change({ showsWords: isOn });
              void goOnWithPush(true);
            }}
          >
            Say in it what is asked
          </Switch>
        )}
        <Switch
          isOn={sounds}
          onChange={(isOn) => {
            change({ sounds: isOn });
          }}
        >
          Play a sound
        </Switch>
        <p className={css.hint}>Nothing is shown while you look at the inbox.</p>
        {isShown && hasPush() && <Push />}
        <QuietHours />
        {(isShown || sounds) && (
          <div className="wrapping">
            <Button onPress={() => void tryNotice()}>Try it</Button>
          </div>
        )}
      </div>
    </Section>
  );
}

/** Whether this browser gets pushes while the inbox is closed, as long as its person is signed in. */
function Push() {
  const client = useQueryClient();
  const [, change] = useSettings();
  const { data } = useQuery({ queryKey: ['push'], queryFn: ({ signal }) => api.push(signal) });
  const session = useSession().data;
  const turn = useMutation({
    mutationFn: async ({ isOn, key }: { readonly isOn: boolean; readonly key: string }) => {
      await (isOn ? startPush(key) : stopPush());
      change({ pushesTo: isOn && session ? personOf(session) : '' });
      await client.invalidateQueries({ queryKey: ['push'] });
    },
  });
  const key = data?.public_key ?? undefined;
  if (data === undefined || key === undefined) return null;
  return (
    <>
      <Switch
        isOn={data.subscribed}
        isDisabled={turn.isPending}
        onChange={(isOn) => {
          turn.mutate({ isOn, key });
        }}
      >
        Also while the inbox is closed
      </Switch>
      <p className={css.hint}>
        {session && `Until ${atTime(session.expires_at)}, and again once you have signed in anew. `}
        After some time without use no notification says what is asked.
      </p>
      {turn.error && <Problem error={turn.error} />}
    </>
  );
}

/** What the browser allows; `none` if it has no notifications here. */
function permissionNow(): NotificationPermission | 'none' {
  return hasWorkers() && 'Notification' in window ? Notification.permission : 'none';
}

const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const UNDO = UNDO_SECONDS.map(
  (seconds) => [String(seconds), seconds === 0 ? 'Never' : `For ${seconds} seconds`] as const,
);

export function Settings() {
  const [{ theme, singleKeys }, change] = useSettings();
  const undo = undoSeconds();
  const [, navigate] = useLocation();
  const me = useMe();
  useKeys({
    Escape: () => {
      navigate(lastList());
    },
  });
  return (
    <main id="main" className="page">
      <BackLink />
      <h1>Settings</h1>
      <Section title="This browser">
        <div className={css.fields}>
          <Radios
            label="Colours"
            values={THEMES}
            value={theme}
            onChange={(value) => {
              change({ theme: value as Kept['theme'] });
            }}
          />
          <Radios
            label="Undo an answer"
            values={UNDO}
            value={String(undo)}
            onChange={(value) => {
              change({ undoSeconds: Number(value) });
            }}
          />
          <p className={css.hint}>
            An answer is held back for so long before it is sent. With less than a minute left it is
            sent at once.
          </p>
          <Switch
            isOn={singleKeys}
            onChange={(isOn) => {
              change({ singleKeys: isOn });
            }}
          >
            Single keys are commands
          </Switch>
          <p className={css.hint}>
            Letters, digits, <kbd>/</kbd> and <kbd>?</kbd>. Switch them off if you dictate, or if
            they get in your way.
          </p>
        </div>
      </Section>
      <Notifications />
      {me && <You me={me} />}
    </main>
  );
}

interface RadiosProps {
  readonly label: string;
  /** Each value with its label. */
  readonly values: readonly (readonly [string, string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Radios({ label: name, values, value: chosen, onChange }: RadiosProps) {
  return (
    <RadioGroup value={chosen} onChange={onChange} className={css.group ?? ''}>
      <Label>{name}</Label>
      {values.map(([value, label]) => (
        <RadioField key={value} value={value}>
          <RadioButton className={cx('tick', css.radio)}>
            <span className="dot" aria-hidden="true" />
            {label}
          </RadioButton>
        </RadioField>
      ))}
    </RadioGroup>
  );
}

function You({ me }: { readonly me: Me }) {
  const signOut = useSignOut();
  return (
    <Section title="You">
      <dl className={css.facts}>
        <dt>Signed in as</dt>
        <dd>{visible(me.principal)}</dd>
        <dt>Space</dt>
        <dd>{me.space}</dd>
        <dt>Roles</dt>
        <dd>{me.roles.join(', ') || 'none'}</dd>
        <dt>Groups</dt>
        <dd>{visible(me.groups.join(', ')) || 'none'}</dd>
      </dl>
      <p>
        <Link href="/report">Report of how questions went</Link>
      </p>
      <Button className={css.out} onPress={() => void signOut()}>
        Sign out
      </Button>
    </Section>
  );
}
