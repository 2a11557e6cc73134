import type { ReactNode } from 'react';
import type { Entered, Entry, Field } from '../../form/field.js';
import type { Fault } from '../../form/read.js';
import { Written } from '../question/Written.js';
import css from './FormAnswer.module.css';

export interface InputProps<F extends Field = Field> {
  readonly field: F;
  /** The name of the part within its value; empty for the whole. */
  readonly name: string;
  readonly id: string;
  readonly path: readonly string[];
  readonly faults: readonly Fault[];
  readonly onChange: (entered: Entered | undefined) => void;
}

export interface Marks {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

export interface NamedProps<F extends Field> extends InputProps<F> {
  readonly label: string;
  readonly marks: Marks;
  readonly children?: ReactNode;
}

export interface NestedProps<F extends Field> extends NamedProps<F> {
  readonly Part: (props: InputProps) => ReactNode;
}

/** A name, with a mark if the field is required. */
export function Named({ label, field }: { readonly label: string; readonly field: Field }) {
  return (
    <>
      <Written text={label} />
      {field.isRequired && <span className={css.required}>*</span>}
    </>
  );
}

export function Label({ id, label, field }: Pick<NamedProps<Field>, 'id' | 'label' | 'field'>) {
  return (
    <label htmlFor={id} className={css.label}>
      <Named label={label} field={field} />
    </label>
  );
}

interface FieldSetProps extends Pick<NamedProps<Field>, 'label' | 'field' | 'marks' | 'children'> {
  readonly className: string | undefined;
}

export function FieldSet({ label, field, marks, className, children }: FieldSetProps) {
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

interface SmallProps {
  readonly children: string;
  readonly onPress: () => void;
  readonly label?: string;
}

export function Small({ children, onPress, label }: SmallProps) {
  return (
    <button type="button" className={css.small} onClick={onPress} aria-label={label}>
      {children}
    </button>
  );
}

interface FoldProps {
  readonly label: string;
  readonly isFolded: boolean;
  readonly added: Entered;
  readonly onChange: (entered: Entered) => void;
}

export function Fold({ label, isFolded, added, onChange }: FoldProps) {
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

/** Returns a list with other entries in the place of one. */
export function replaced(
  entries: readonly Entry[],
  at: number,
  ...by: readonly Entry[]
): readonly Entry[] {
  return [...entries.slice(0, at), ...by, ...entries.slice(at + 1)];
}

/** Returns an entry with something else entered into it, or nothing if that is undefined. */
export function withInner(entry: Entry, inner: Entered | undefined): Entry {
  const { inner: _, ...rest } = entry;
  return inner === undefined ? rest : { ...rest, inner };
}
