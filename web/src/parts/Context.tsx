import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { wordsOf } from '../state/facts.js';
import { Markdown, OutsideLink } from './Markdown.js';
import css from './Context.module.css';

const ADDRESS = /^https?:\/\/\S+$/;

/** A JSON value, as people read it: texts as Markdown, objects as lists of names and values. */
export function Value({ value }: { readonly value: JsonValue }) {
  if (typeof value === 'string') {
    if (ADDRESS.test(value)) return <OutsideLink href={value} text={value} />;
    return <Markdown text={value} />;
  }
  if (typeof value !== 'object' || value === null) return <code>{JSON.stringify(value)}</code>;
  if (Array.isArray(value)) return <Values values={value as readonly JsonValue[]} />;
  return <Context context={value as JsonObject} />;
}

function Values({ values }: { readonly values: readonly JsonValue[] }) {
  if (values.length === 0) return <span className={css.none}>none</span>;
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
  return (
    <dl className={css.context}>
      {Object.entries(context).map(([name, value]) => (
        <div key={name} className={css.pair}>
          <dt>{wordsOf(name)}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
