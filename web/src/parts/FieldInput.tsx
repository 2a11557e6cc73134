import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Entered, Field } from '../form/field.js';
import type { Fault } from '../form/read.js';
import { isBlank, visible } from '../state/visible.js';
import { ChoiceInput, SeveralInput, TickInput } from './ChoiceInputs.js';
import { GroupInput } from './GroupInput.js';
import { ListInput } from './ListInput.js';
import { TypedInput } from './TypedInput.js';
import { UnionInput } from './UnionInput.js';
import { Label } from './field-parts.js';
import { Written } from './Written.js';
import type { InputProps, Marks } from './field-parts.js';
import css from './FormAnswer.module.css';

/** One field of a form, with its name, what it says of itself and what is wrong with it. */
export function FieldInput(props: InputProps) {
  const { field, faults, id } = props;
  const own = faults.filter((fault) => isOwn(fault, props));
  const saysId = useId();
  const isSaying = own.length > 0 || field.description !== undefined;
  const marks: Marks = {
    id,
    'aria-describedby': isSaying ? saysId : undefined,
    'aria-invalid': own.length > 0 || undefined,
    'aria-required': field.isRequired || undefined,
  };
  const label = labelOf(props);
  return (
    <ByKind {...props} marks={marks} label={label}>
      {field.isNullable && <NullBox {...props} label={label} />}
      {isSaying && (
        <div id={saysId}>
          {field.description !== undefined && (
            <Written text={field.description} as="p" className={css.description} />
          )}
          {own.map(({ detail }) => (
            <Written key={detail} text={detail} as="p" className={css.fault} />
          ))}
        </div>
      )}
    </ByKind>
  );
}

/** The title of a field, or its name: in quotes if nobody would see it. */
function labelOf({ field: { title }, name, path }: InputProps): string {
  if (title !== undefined) return visible(title);
  if (name === '' && path.length === 0) return 'Your answer';
  return isBlank(name) ? JSON.stringify(visible(name)) : visible(name);
}

interface KindProps extends InputProps {
  readonly label: string;
  readonly marks: Marks;
  readonly children: ReactNode;
}

function ByKind({ field, ...props }: KindProps) {
  const { id, label, marks, onChange, children } = props;
  switch (field.kind) {
    case 'group':
      return <GroupInput {...props} field={field} Part={FieldInput} />;
    case 'list':
      return <ListInput {...props} field={field} Part={FieldInput} />;
    case 'union':
      return <UnionInput {...props} field={field} Part={FieldInput} />;
    case 'several':
      return <SeveralInput {...props} field={field} />;
    case 'tick':
      return <TickInput {...props} field={field} />;
    case 'choice':
      return <ChoiceInput {...props} field={field} />;
    default:
      return (
        <div className={css.field}>
          <Label id={id} label={label} field={field} />
          <TypedInput field={field} marks={marks} onChange={onChange} />
          {children}
        </div>
      );
  }
}

/** Whether a fault is shown at this field: no field within is nearer to it. */
function isOwn(fault: Fault, { field, path }: InputProps): boolean {
  if (!path.every((name, index) => fault.path[index] === name)) return false;
  const next = fault.path[path.length];
  switch (field.kind) {
    case 'union':
      return field.inner === undefined;
    case 'group':
      return next === undefined || !namesIn(field).includes(next);
    case 'list':
      return next === undefined || field.items[Number(next)] === undefined;
    default:
      return true;
  }
}

function namesIn({ members, more = [] }: Extract<Field, { kind: 'group' }>): readonly string[] {
  return [...members.map(([name]) => name), ...more.map(({ entry }) => entry.name ?? '')];
}

/** Says that there is no value, which is a value of its own. */
function NullBox({ field, label, onChange }: InputProps & { readonly label: string }) {
  const { entered, preset } = field;
  return (
    <label className={css.tick}>
      <input
        type="checkbox"
        checked={entered === undefined ? preset === null : entered === null}
        onChange={({ target }) => {
          onChange(target.checked ? null : cleared(field));
        }}
      />
      <span>
        None<span className="only-heard"> in place of {label}</span>
      </span>
    </label>
  );
}

/** A field with nothing entered, and no default in its place. */
function cleared({ preset }: Field): Entered | undefined {
  return preset === undefined ? undefined : '';
}
