import { visible } from '../state/visible.js';

type Option = readonly [value: string, shown: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** What stands for no choice; without it there always is one. */
  readonly none?: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string | undefined) => void;
}

/** A choice from a list. */
export function Choice({ label, value, none, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      dir="auto"
      value={value ?? ''}
      onChange={(event) => {
        onChange(event.target.value === '' ? undefined : event.target.value);
      }}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(([name, shown]) => (
        <option key={name} value={name}>
          {visible(shown)}
        </option>
      ))}
    </select>
  );
}

/** Makes options of names. The chosen one stays, even if it is no longer among them. */
export function optionsOf(names: readonly string[], chosen: string | undefined): readonly Option[] {
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => [name, name]);
}
