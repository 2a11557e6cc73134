import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { defined } from '../../../../contracts/constants/defined.js';
import type { SuspensionChoice } from '../../../../contracts/suspension/suspension.js';
import type { Asked } from '../../api/types.js';
import type { Keys } from '../../state/keys.js';
import { visible } from '../../state/list/visible.js';
import { cx } from '../ui.js';
import { Written } from '../question/Written.js';
import css from './Choices.module.css';

const YES_NO: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

const WITH_KEYS = 9;

export function choicesOf({
  response_type,
  choices = [],
}: Pick<Asked, 'response_type' | 'choices'>): readonly SuspensionChoice[] {
  if (response_type === 'choice') return choices.map(shown);
  if (response_type !== 'confirm') return [];
  return YES_NO.map((usual) => choices.find(({ value }) => value === usual.value) ?? usual).map(
    shown,
  );
}

/** Makes the words of a choice visible. Its value, which is sent, stays as it is. */
function shown({ label, description, ...choice }: SuspensionChoice): SuspensionChoice {
  const words = { label: visible(label), description: description && visible(description) };
  return { ...choice, ...defined(words) };
}

/** Returns the keys that choose: 1 for the first choice. */
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

interface ChoicesProps {
  readonly choices: readonly SuspensionChoice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The choices of a question. Choosing decides nothing yet. */
export function Choices({ choices, value, onChange }: ChoicesProps) {
  return (
    <RadioGroup value={value} onChange={onChange} className={css.choices ?? ''}>
      <Label className="only-heard">Your answer</Label>
      {choices.map(({ value: each, label, description, style }, index) => (
        <RadioField key={each} value={each}>
          <RadioButton className={cx(css.choice, style && css[style])}>
            <span className="dot" aria-hidden="true" />
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
