import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import type { Me } from '../../../contracts/people/me.js';
import { useKeys } from '../state/keys.js';
import { useMe, useSignOut } from '../state/session.js';
import { UNDO_SECONDS, undoSeconds, useSettings } from '../state/settings.js';
import type { Settings as Kept } from '../state/settings.js';
import { lastList } from '../state/views.js';
import { BackLink } from '../parts/BackLink.js';
import { Notifications } from '../parts/Notifications.js';
import { Switch } from '../parts/Switch.js';
import { visible } from '../state/visible.js';
import { Button, Section, cx } from '../parts/ui.js';
import css from './Settings.module.css';

const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const UNDO = UNDO_SECONDS.map(
  (seconds) => [String(seconds), seconds === 0 ? 'Never' : `For ${seconds} seconds`] as const,
);

/** The settings for this browser, and the person who is signed in. */
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
  /** Each value, and what it is called. */
  readonly values: readonly (readonly [string, string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A setting that has one of a few values. */
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
