import {
  Label,
  RadioButton,
  RadioField,
  RadioGroup,
  SwitchButton,
  SwitchField,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import type { Me } from '../api/types.js';
import { useKeys } from '../state/keys.js';
import { useMe, useSignOut } from '../state/session.js';
import { useSettings } from '../state/settings.js';
import type { Settings as Kept } from '../state/settings.js';
import { lastList } from '../state/views.js';
import { BackLink } from '../parts/BackLink.js';
import { visible } from '../state/visible.js';
import { Button, Section } from '../parts/ui.js';
import css from './Settings.module.css';

const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** What a person sets for this browser, and who it is. */
export function Settings() {
  const [settings, change] = useSettings();
  const [, navigate] = useLocation();
  const me = useMe();
  useKeys({
    Escape: () => {
      navigate(lastList());
    },
  });
  return (
    <main id="main" className={css.page}>
      <BackLink />
      <h1>Settings</h1>
      <Section title="This browser">
        <div className={css.fields}>
          <Theme
            theme={settings.theme}
            onChange={(theme) => {
              change({ theme });
            }}
          />
          <SwitchField
            isSelected={settings.singleKeys}
            onChange={(singleKeys) => {
              change({ singleKeys });
            }}
          >
            <SwitchButton className={css.switch ?? ''}>
              <span className={css.track} aria-hidden="true" />
              Single keys are commands
            </SwitchButton>
          </SwitchField>
          <p className={css.hint}>
            Letters, digits, <kbd>/</kbd> and <kbd>?</kbd>. Switch them off if you dictate, or if
            they get in your way.
          </p>
        </div>
      </Section>
      {me && <You me={me} />}
    </main>
  );
}

function Theme({
  theme,
  onChange,
}: {
  readonly theme: Kept['theme'];
  readonly onChange: (theme: Kept['theme']) => void;
}) {
  return (
    <RadioGroup
      value={theme}
      onChange={(value) => {
        onChange(value as Kept['theme']);
      }}
      className={css.group ?? ''}
    >
      <Label>Colours</Label>
      {THEMES.map(([value, label]) => (
        <RadioField key={value} value={value}>
          <RadioButton className={css.radio ?? ''}>
            <span className={css.dot} aria-hidden="true" />
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
      <Button className={css.out} onPress={() => void signOut()}>
        Sign out
      </Button>
    </Section>
  );
}
