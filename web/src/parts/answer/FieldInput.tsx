import { useEffect, useId, useRef } from 'react';
import { chosenIn, momentIn, severalIn, shownText, tickedIn, type Fault } from '../../form/read.js';
import {
  FieldSet,
  Label,
  Named,
  Small,
  type InputProps,
  type Marks,
  type NamedProps,
} from './field-parts.js';
import { GroupInput, ListInput, NamedOption, OneOf, SideBySide } from './NestedInputs.js';
import css from './FormAnswer.module.css';
import { edited, isBlank, pretty, visible } from '../../state/list/visible.js';
import { defined } from '../../../../contracts/constants/defined.js';
import {
  limitsOf,
  partsIn,
  type ChoiceField,
  type Entered,
  type Field,
  type FixedField,
  type JsonField,
  type NumberField,
  type SeveralField,
  type TextField,
  type TickField,
  type UnionField,
} from '../../form/field.js';
import { Written } from '../question/Written.js';

/** A choice of one value of a schema. Nothing is chosen at first, unless there is a default. */
function ChoiceInput(props: NamedProps<ChoiceField>) {
  const { field, onChange } = props;
  const option = chosenIn(field);
  const choosing = {
    ...props,
    options: field.options,
    chosen: option && field.options.indexOf(option),
    onChoose: (index: number | undefined) => {
      onChange({ chosen: index === undefined ? undefined : field.options[index]?.value });
    },
  };
  // Yes or no, in the words of the schema.
  const isYesOrNo = field.options.every(({ value }) => typeof value === 'boolean');
  if (isYesOrNo) return <SideBySide {...choosing} />;
  return (
    <div className={css.field}>
      <OneOf {...choosing} />
    </div>
  );
}

/** Yes or no by a tick, and in words, because an untouched box is no answer. */
function TickInput({ field, label, marks, onChange, children }: NamedProps<TickField>) {
  const box = useRef<HTMLInputElement>(null);
  const value = tickedIn(field);
  useEffect(() => {
    if (box.current) box.current.indeterminate = value === undefined;
  }, [value]);
  const says = value === undefined ? 'No answer' : value ? 'Yes' : 'No';
  return (
    <div className={css.ticked}>
      <label className="tick">
        <input
          ref={box}
          {...marks}
          aria-required={undefined}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => {
            onChange(target.checked);
          }}
        />
        <span>
          <Named label={label} field={{ ...field, isRequired: false }} />
        </span>
      </label>
      <span className={css.description}>{says}</span>
      {value !== undefined && !field.isRequired && (
        <Small
          onPress={() => {
            onChange({ chosen: undefined });
          }}
        >
          Leave out
        </Small>
      )}
      {children}
    </div>
  );
}

function SeveralInput({ field, label, marks, onChange, children }: NamedProps<SeveralField>) {
  const several = severalIn(field);
  const chosen = new Set(several?.map((value) => JSON.stringify(value)));
  return (
    <FieldSet className={css.set} label={label} field={field} marks={marks}>
      {field.options.map(({ value, label: shown, description }) => (
        <label key={JSON.stringify(value)} className="tick">
          <input
            type="checkbox"
            checked={chosen.has(JSON.stringify(value))}
            onChange={({ target }) => {
              const text = JSON.stringify(value);
              const rest = (several ?? []).filter((one) => JSON.stringify(one) !== text);
              onChange({ several: target.checked ? [...rest, value] : rest });
            }}
          />
          <NamedOption label={shown} description={description} />
        </label>
      ))}
      {field.isRequired && several === undefined && (
        <Small
          onPress={() => {
            onChange({ several: [] });
          }}
        >
          None of them
        </Small>
      )}
      {children}
    </FieldSet>
  );
}

const TYPES = new Map([
  ['date', 'date'],
  ['date-time', 'datetime-local'],
  ['time', 'time'],
]);
/** Examples of formats without a picker. */
const EXAMPLES = new Map([
  ['date-time', '2027-03-31T14:30:00Z'],
  ['time', '14:30:00Z'],
  ['duration', 'P3DT4H for 3 days and 4 hours'],
  ['email', 'ana@example.com'],
  ['hostname', 'shop.example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://shop.example/orders/1'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
]);
const MODES = new Map([
  ['email', 'email'],
  ['uri', 'url'],
] as const);
const JSON_ROWS = 5;

interface Typed {
  readonly target: { readonly value: string; readonly selectionEnd?: number | null };
}

interface TypedInputProps {
  readonly field: TextField | NumberField | JsonField | FixedField;
  readonly marks: Marks;
  readonly onChange: InputProps['onChange'];
}

/** A field into which people type. It shows control characters by their codes, and keeps them as they are. */
function TypedInput({ field, marks, onChange }: TypedInputProps) {
  if (field.kind === 'fixed') {
    return (
      <output
        {...marks}
        dir="auto"
        aria-invalid={undefined}
        aria-required={undefined}
        className={css.fixed}
      >
        {typeof field.value === 'string' ? visible(field.value) : pretty(field.value)}
      </output>
    );
  }
  const text = shownText(field);
  const shared = {
    ...marks,
    dir: 'auto',
    value: visible(text),
    spellCheck: field.kind === 'text',
  } as const;
  const typed = ({ target }: Typed) => {
    onChange(edited(text, target.value, target.selectionEnd ?? undefined));
  };
  if (field.kind === 'json') {
    return (
      <textarea
        {...shared}
        className={css.json}
        rows={JSON_ROWS}
        placeholder='A value as JSON, such as { "name": "value" }'
        onChange={typed}
      />
    );
  }
  if (field.kind === 'number') {
    return (
      <input {...shared} type="text" inputMode="decimal" autoComplete="off" onChange={typed} />
    );
  }
  return <TextInput field={field} text={text} shared={shared} onChange={typed} />;
}

interface TextInputProps {
  readonly field: TextField;
  readonly text: string;
  readonly shared: Marks & { readonly value: string; readonly spellCheck: boolean };
  readonly onChange: (event: Typed) => void;
}

function TextInput({ field, text, shared, onChange }: TextInputProps) {
  const { format = '' } = field;
  const type = TYPES.get(format);
  // A picker would drop what it cannot show, such as the time zone of a default.
  if (type !== undefined && (format === 'date' || field.preset === undefined)) {
    return (
      <>
        <input
          {...shared}
          type={type}
          step={format === 'date' ? undefined : 1}
          onChange={onChange}
        />
        {format !== 'date' && <Moment format={format} text={text} />}
      </>
    );
  }
  const example = EXAMPLES.get(format);
  if (example !== undefined) {
    return (
      <input
        {...shared}
        type="text"
        inputMode={MODES.get(format as 'email') ?? 'text'}
        spellCheck={false}
        placeholder={example}
        onChange={onChange}
      />
    );
  }
  return <textarea {...shared} rows={1} className={css.line} onChange={onChange} />;
}

/** Says how a time is sent: with the offset of this machine from UTC. */
function Moment({ format, text }: { readonly format: string; readonly text: string }) {
  const { value } = momentIn(format, text);
  return (
    <p className={css.description}>
      {typeof value === 'string' && value !== ''
        ? `In your time zone: sent as ${visible(value)}`
        : 'In your time zone.'}
    </p>
  );
}

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

/** Returns the entry of an emptied field, so that no default replaces it. */
function cleared({ preset }: Field): Entered | undefined {
  return preset === undefined ? undefined : '';
}
