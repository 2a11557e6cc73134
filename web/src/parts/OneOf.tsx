import type { Field } from '../form/field.js';
import { visible } from '../state/visible.js';
import { FieldSet, Label } from './field-parts.js';
import type { NamedProps } from './field-parts.js';
import { Written } from './Written.js';
import css from './FormAnswer.module.css';

/** An option with its name. */
interface Named {
  readonly label: string;
  readonly description?: string | undefined;
}

interface Props extends Pick<NamedProps<Field>, 'field' | 'label' | 'marks' | 'children'> {
  readonly options: readonly Named[];
  /** The index of the chosen option; undefined until one is chosen. */
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

/** Texts that an option of a list, which is one line, would show as another text. */
const OF_SEVERAL_LINES = /\n|\t|^\s|\s$|\s{2}/;

/** A choice of one option, in a list if it can show the names as they are, else side by side. */
export function OneOf(props: Props) {
  const { options, chosen, field, label, marks, onChoose, children } = props;
  if (options.some((option) => OF_SEVERAL_LINES.test(option.label)))
    return <SideBySide {...props} />;
  const { description } = options[chosen ?? -1] ?? {};
  return (
    <>
      <Label id={marks.id} label={label} field={field} />
      <select
        {...marks}
        dir="auto"
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ target }) => {
          onChoose(target.value === '' ? undefined : Number(target.value));
        }}
      >
        <option value="">{noneOf(field)}</option>
        {options.map((option, index) => (
          <option key={index} value={String(index)} dir="auto">
            {visible(option.label)}
          </option>
        ))}
      </select>
      {description !== undefined && (
        <Written text={description} as="p" className={css.description} />
      )}
      {children}
    </>
  );
}

function noneOf({ isRequired }: Field): string {
  return isRequired ? 'Choose…' : 'No answer';
}

/** A choice of one option, all of which are visible. */
export function SideBySide({ options, chosen, field, label, marks, onChoose, children }: Props) {
  const none = field.isRequired ? [] : [{ label: noneOf(field), index: undefined }];
  const all = [...options.map((option, index) => ({ ...option, index })), ...none];
  return (
    <FieldSet className={css.set} label={label} field={field} marks={marks}>
      {all.map(({ index, ...option }) => (
        <label key={index ?? 'none'} className="tick">
          <input
            type="radio"
            name={marks.id}
            checked={index === chosen}
            aria-invalid={marks['aria-invalid']}
            onChange={() => {
              onChoose(index);
            }}
          />
          <NamedOption {...option} />
        </label>
      ))}
      {children}
    </FieldSet>
  );
}

/** The name of an option with its description. */
export function NamedOption({ label, description }: Named) {
  return (
    <span>
      <Written text={label} />
      {description !== undefined && (
        <>
          {' '}
          <Written text={description} className={css.description} />
        </>
      )}
    </span>
  );
}
