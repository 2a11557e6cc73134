import { useId } from 'react';
import { defined } from '../../../contracts/constants/defined.js';
import { partsIn } from '../form/field.js';
import type { Entered, Field, UnionField } from '../form/field.js';
import { limitsOf } from '../form/limits.js';
import type { Fault } from '../form/read.js';
import { isBlank, visible } from '../state/visible.js';
import { ChoiceInput, SeveralInput, TickInput } from './ChoiceInputs.js';
import { GroupInput } from './GroupInput.js';
import { ListInput } from './ListInput.js';
import { OneOf } from './OneOf.js';
import { TypedInput } from './TypedInput.js';
import { Label } from './field-parts.js';
import { Written } from './Written.js';
import type { InputProps, Marks, NamedProps } from './field-parts.js';
import css from './FormAnswer.module.css';

/** One field of a form, with its name, its description and its faults. */
export function FieldInput(props: InputProps) {
  const { field, faults, id } = props;
  const own = faults.filter((fault) => isOwn(fault, props));
  const saysId = useId();
  const limits = limitsOf(field);
  const isSaying = own.length > 0 || field.description !== undefined || limits !== undefined;
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
          {limits !== undefined && <p className={css.description}>{visible(limits)}</p>}
          {own.map(({ detail }) => (
            <Written key={detail} text={detail} as="p" className={css.fault} />
          ))}
        </div>
      )}
    </ByKind>
  );
}

/** Returns the title of a field, or its name, in quotes if nobody would see it. */
function labelOf({ field: { title }, name, path }: InputProps): string {
  if (title !== undefined) return visible(title);
  if (name === '' && path.length === 0) return 'Your answer';
  return isBlank(name) ? JSON.stringify(visible(name)) : visible(name);
}

function ByKind({ field, ...props }: NamedProps<Field>) {
  const { id, label, marks, onChange, children } = props;
  switch (field.kind) {
    case 'group':
      return <GroupInput {...props} field={field} Part={FieldInput} />;
    case 'list':
      return <ListInput {...props} field={field} Part={FieldInput} />;
    case 'union':
      return <UnionInput {...props} field={field} />;
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

/** A choice of one kind of value, with the field of that kind. */
function UnionInput(props: NamedProps<UnionField>) {
  const { field, id, path, faults, onChange } = props;
  const { labels, branch, inner } = field;
  return (
    <div className={css.group}>
      <OneOf
        {...props}
        options={labels.map((label) => ({ label }))}
        chosen={branch}
        onChoose={(index) => {
          onChange({ branch: index ?? -1 });
        }}
      />
      {inner && branch !== undefined && (
        <FieldInput
          key={branch}
          field={inner}
          name={labels[branch] ?? ''}
          id={`${id}_${branch}`}
          // The value is at the same place; only an outermost group has no name.
          path={path}
          faults={faults}
          onChange={(entered) => {
            onChange({ branch, ...defined({ inner: entered }) });
          }}
        />
      )}
    </div>
  );
}

/** Whether this field shows a fault, because no field within is nearer to it. */
function isOwn(fault: Fault, { field, path }: InputProps): boolean {
  if (!path.every((name, index) => fault.path[index] === name)) return false;
  const next = fault.path[path.length];
  switch (field.kind) {
    case 'union':
      return field.inner === undefined;
    case 'group':
      return !partsIn(field).some(([name]) => name === next);
    case 'list':
      return next === undefined || field.items[Number(next)] === undefined;
    default:
      return true;
  }
}

/** A box that enters null, which is a value of its own. */
function NullBox({ field, label, onChange }: InputProps & { readonly label: string }) {
  const { entered, preset } = field;
  return (
    <label className="tick">
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

/** Returns what an empty field has entered, so that no default takes its place. */
function cleared({ preset }: Field): Entered | undefined {
  return preset === undefined ? undefined : '';
}
