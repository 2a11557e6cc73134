import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import type { SuspensionChoice, SuspensionRecord } from '../../../contracts/suspension.js';
import type { Keys } from '../state/keys.js';
import { visible } from '../state/visible.js';
import { cx } from './ui.js';
import { Written } from './Written.js';
import css from './Choices.module.css';

const YES_NO: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

const WITH_KEYS = 9;

interface Asked extends Pick<SuspensionRecord, 'response_type'> {
  readonly choices?: readonly SuspensionChoice[] | undefined;
}

/** What can be chosen, in the words of the question. */
export function choicesOf({ response_type, choices = [] }: Asked): readonly SuspensionChoice[] {
  if (response_type === 'choice') return choices.map(shown);
  if (response_type !== 'confirm') return [];
  return YES_NO.map((usual) => choices.find(({ value }) => value === usual.value) ?? usual).map(
    shown,
  );
}

/** A choice whose words can be shown; its value is what is sent. */
function shown({ label, description, ...choice }: SuspensionChoice): SuspensionChoice {
  return {
    ...choice,
    label: visible(label),
    ...(description !== undefined && { description: visible(description) }),
  };
}

/** The digits that choose: 1 for the first choice. */
export function choiceKeys(
  choices: readonly SuspensionChoice[],
  choose: (value: string) => void,
): Keys {
  return Object.fromEntries(
    choices.slice(0, WITH_KEYS).map(({ value }, index) => [
      String(index + 1),
      () => {
        choose(value);
      },
    ]),
  );
}

/** One of a few answers. Choosing decides nothing yet. */
export function Choices({
  choices,
  value,
  onChange,
  isDisabled = false,
}: {
  readonly choices: readonly SuspensionChoice[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <RadioGroup
      value={value ?? null}
      onChange={onChange}
      isDisabled={isDisabled}
      className={css.choices ?? ''}
    >
      <Label className="only-heard">Your answer</Label>
      {choices.map(({ value: each, label, description, style }, index) => (
        <RadioField key={each} value={each}>
          <RadioButton className={cx(css.choice, style && css[style])}>
            <span className={css.dot} aria-hidden="true" />
            <span className={css.words}>
              <Written text={label} className={css.label} />
              {description !== undefined && (
                <Written text={description} className={css.description} />
              )}
            </span>
            {index < WITH_KEYS && (
              <kbd className={css.key} aria-hidden="true">
                {index + 1}
              </kbd>
            )}
          </RadioButton>
        </RadioField>
      ))}
    </RadioGroup>
  );
}
