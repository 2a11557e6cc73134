import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { visible } from '../state/visible.js';
import { OutsideLink } from './OutsideLink.js';
import { Written, WrittenIn } from './Written.js';
import css from './Context.module.css';

const ADDRESS = /^https?:\/\/\S+$/;

/** A JSON value, as people read it: texts as they were written, objects as lists of names and values. */
export function Value({ value }: { readonly value: JsonValue }) {
  if (typeof value === 'string') {
    if (!ADDRESS.test(value)) return <Written text={value} as="div" />;
    return (
      <WrittenIn>
        <OutsideLink href={value} words={visible(value)} />
      </WrittenIn>
    );
  }
  if (typeof value !== 'object' || value === null) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) return <Values values={value as readonly JsonValue[]} />;
  return <Context context={value as JsonObject} />;
}

function Values({ values }: { readonly values: readonly JsonValue[] }) {
  if (values.length === 0) return <code>[]</code>;
  return (
    <ul className={css.values}>
      {values.map((value, index) => (
        <li key={index}>
          <Value value={value} />
        </li>
      ))}
    </ul>
  );
}

/** What an agent gives with a question, so that people can decide. */
export function Context({ context }: { readonly context: JsonObject }) {
  const entries = Object.entries(context);
  if (entries.length === 0) return <code>{'{}'}</code>;
  return (
    <dl className={css.context}>
      {entries.map(([name, value]) => (
        <div key={name} className={css.pair}>
          <dt>
            <Written text={name} />
          </dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
