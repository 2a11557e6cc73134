import type { ReactNode } from 'react';
import type { Entered, Entry, Field } from '../form/field.js';
import type { Fault } from '../form/read.js';
import { Written } from './Written.js';
import css from './FormAnswer.module.css';

/** What every input of a form gets. */
export interface InputProps<F extends Field = Field> {
  readonly field: F;
  /** The name of the part in what it is in; empty for the whole. */
  readonly name: string;
  readonly id: string;
  readonly path: readonly string[];
  readonly faults: readonly Fault[];
  readonly onChange: (entered: Entered | undefined) => void;
}

/** What an input says of itself to those who hear the page. */
export interface Marks {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

/** What an input gets that is shown with its name. */
export interface NamedProps<F extends Field> extends InputProps<F> {
  readonly label: string;
  readonly marks: Marks;
  /** What it says of itself, and what is wrong with it. */
  readonly children?: ReactNode;
}

/** The same for one that has others within. */
export interface NestedProps<F extends Field> extends NamedProps<F> {
  /** Shows a field, of whatever kind. */
  readonly Part: (props: InputProps) => ReactNode;
}

/** A name, with a mark if something has to be entered. */
export function Named({ label, field }: { readonly label: string; readonly field: Field }) {
  return (
    <>
      <Written text={label} />
      {field.isRequired && <span className={css.required}>*</span>}
    </>
  );
}

/** The name of a field of its own. */
export function Label({
  id,
  label,
  field,
}: {
  readonly id: string;
  readonly label: string;
  readonly field: Field;
}) {
  return (
    <label htmlFor={id} className={css.label}>
      <Named label={label} field={field} />
    </label>
  );
}

/** Several inputs of one name. */
export function FieldSet({
  label,
  field,
  marks,
  className,
  children,
}: Pick<NamedProps<Field>, 'label' | 'field' | 'marks' | 'children'> & {
  readonly className: string | undefined;
}) {
  return (
    <fieldset
      className={className}
      aria-describedby={marks['aria-describedby']}
      {...(marks['aria-invalid'] && { 'data-fault': '', tabIndex: -1 })}
    >
      {label !== '' && (
        <legend className={css.label}>
          <Named label={label} field={field} />
        </legend>
      )}
      {children}
    </fieldset>
  );
}

/** A button in a form. */
export function Small({
  children,
  onPress,
  label,
}: {
  readonly children: string;
  readonly onPress: () => void;
  readonly label?: string;
}) {
  return (
    <button type="button" className={css.small} onClick={onPress} aria-label={label}>
      {children}
    </button>
  );
}

/** Adds what stays out by itself, and removes it again as a whole. */
export function Fold({
  label,
  isFolded,
  added,
  onChange,
}: {
  readonly label: string;
  readonly isFolded: boolean;
  /** What is entered by adding it. */
  readonly added: Entered;
  readonly onChange: (entered: Entered) => void;
}) {
  const does = isFolded ? 'Add' : 'Remove';
  return (
    <Small
      label={`${does} ${label}`}
      onPress={() => {
        onChange(isFolded ? added : { isRemoved: true });
      }}
    >
      {does}
    </Small>
  );
}

/** A list with other entries in the place of one. */
export function replaced(
  entries: readonly Entry[],
  at: number,
  ...by: readonly Entry[]
): readonly Entry[] {
  return [...entries.slice(0, at), ...by, ...entries.slice(at + 1)];
}

/** An entry into which something else is entered; undefined takes that back. */
export function withInner(entry: Entry, inner: Entered | undefined): Entry {
  const { inner: _, ...rest } = entry;
  return inner === undefined ? rest : { ...rest, inner };
}
