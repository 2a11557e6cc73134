import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { own } from '../state/differences.js';
import type { Difference } from '../state/differences.js';
import { visible } from '../state/visible.js';
import { Differs, MarkedText, Other } from './Differs.js';
import { OutsideLink } from './OutsideLink.js';
import { Written, WrittenIn } from './Written.js';
import css from './Context.module.css';

const ADDRESS = /^https?:\/\/\S+$/;

/** How many names are told that others have and this one has not. */
const MOST_LACKING = 20;

/** Where a value differs from those that are shown beside it; undefined where it does not, or stands alone. */
interface Among {
  readonly difference?: Difference | undefined;
}

/** A JSON value, as people read it: texts as they were written, objects as lists of names and values. */
export function Value({ value, difference }: Among & { readonly value: JsonValue }) {
  if (typeof value === 'string') {
    if (!ADDRESS.test(value)) {
      if (difference) return <MarkedText text={value} difference={difference} />;
      return <Written text={value} as="div" />;
    }
    return (
      <WrittenIn>
        <OutsideLink href={value} words={visible(value)} />
      </WrittenIn>
    );
  }
  if (typeof value !== 'object' || value === null) {
    const shown = <code>{JSON.stringify(value)}</code>;
    return difference ? <Other>{shown}</Other> : shown;
  }
  if (Array.isArray(value)) {
    return <Values values={value as readonly JsonValue[]} difference={difference} />;
  }
  return <Context context={value as JsonObject} difference={difference} />;
}

function Values({ values, difference }: Among & { readonly values: readonly JsonValue[] }) {
  if (values.length === 0) return <code>[]</code>;
  return (
    <ul className={css.values}>
      {values.map((value, index) => {
        const at = difference?.within?.get(String(index));
        return (
          <li key={index}>
            {at && !at.within && <Differs difference={at} value={value} />}
            <Value value={value} difference={at} />
          </li>
        );
      })}
    </ul>
  );
}

/** What an agent gives with a question, so that people can decide. */
export function Context({ context, difference }: Among & { readonly context: JsonObject }) {
  const entries = Object.entries(context);
  const lacking = namesLacking(context, difference);
  if (entries.length + lacking.length === 0) return <code>{'{}'}</code>;
  return (
    <dl className={css.context}>
      {entries.map(([name, value]) => {
        const at = difference?.within?.get(name);
        return (
          <div key={name} className={css.pair}>
            <dt>
              <Written text={name} />{' '}
              {at && !at.within && <Differs difference={at} value={value} />}
            </dt>
            <dd>
              <Value value={value} difference={at} />
            </dd>
          </div>
        );
      })}
      {lacking.slice(0, MOST_LACKING).map(([name, at]) => (
        <div key={name} className={css.pair}>
          <dt>
            <Written text={name} /> <Differs difference={at} value={undefined} />
          </dt>
          <dd>
            <em>Not given here.</em>
          </dd>
        </div>
      ))}
      {lacking.length > MOST_LACKING && (
        <div className={css.pair}>
          <dt>and {lacking.length - MOST_LACKING} more</dt>
          <dd>
            <em>Not given here.</em>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What others have and this one has not. */
function namesLacking(context: JsonObject, difference: Difference | undefined) {
  const within = [...(difference?.within ?? [])];
  return within.filter(([name]) => own(context, name) === undefined);
}
