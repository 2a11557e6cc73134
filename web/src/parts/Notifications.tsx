import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/calls.js';
import { atTime } from '../state/clock.js';
import { hasWorkers } from '../state/notifications.js';
import { tryNotice } from '../state/notices.js';
import { goOnWithPush, hasPush, startPush, stopPush } from '../state/push.js';
import { personOf, useSession } from '../state/session.js';
import { useSettings } from '../state/settings.js';
import { Problem } from './Problem.js';
import { QuietHours } from './QuietHours.js';
import { Switch } from './Switch.js';
import { Button, Notice, Section } from './ui.js';
import css from '../pages/Settings.module.css';

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

/** Whether this browser is told of questions while the inbox is closed, as long as its person is signed in. */
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
