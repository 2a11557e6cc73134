import type { FixedField, JsonField, NumberField, TextField } from '../form/field.js';
import { shownText } from '../form/read.js';
import { momentIn } from '../form/typed.js';
import { edited, pretty, visible } from '../state/visible.js';
import type { InputProps, Marks } from './field-parts.js';
import css from './FormAnswer.module.css';

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

/** The event of an input after somebody has typed. */
interface Typed {
  readonly target: { readonly value: string; readonly selectionEnd?: number | null };
}

interface TypedInputProps {
  readonly field: TextField | NumberField | JsonField | FixedField;
  readonly marks: Marks;
  readonly onChange: InputProps['onChange'];
}

/** A field into which people type. It shows control characters by their codes, and keeps them as they are. */
export function TypedInput({ field, marks, onChange }: TypedInputProps) {
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

/** The input for a text, by its format. */
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
