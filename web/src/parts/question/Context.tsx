import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import { own, type Difference } from '../../state/answering/differences.js';
import { columnsOf, lookOf } from '../../state/list/looks.js';
import { useNarrow } from '../../state/list/narrow.js';
import { visible } from '../../state/list/visible.js';
import { Differs, MarkedText, Other } from './Differs.js';
import { Text } from './Text.js';
import { Button } from '../ui.js';
import { Written } from './Written.js';
import css from './Context.module.css';

const MOST_LACKING = 20;

const MOST_ENTRIES = 20;

interface Among {
  /** How a value differs from others in a comparison, if it does. */
  readonly difference?: Difference | undefined;
}

interface ValueProps extends Among {
  readonly value: JsonValue;
  readonly name?: string | undefined;
}

/** A JSON value for people: texts as they were written, objects as lists of names and values. */
export function Value({ value, difference, name }: ValueProps) {
  if (typeof value === 'string') {
    if (!difference || lookOf(value) === 'address') return <Text text={value} name={name} />;
    return <MarkedText text={value} difference={difference} />;
  }
  if (typeof value !== 'object' || value === null) {
    const shown = <code>{JSON.stringify(value)}</code>;
    return difference ? <Other>{shown}</Other> : shown;
  }
  if (Array.isArray(value)) {
    return <Values values={value as readonly JsonValue[]} difference={difference} name={name} />;
  }
  return <Context context={value as JsonObject} difference={difference} />;
}

interface ValuesProps extends Among {
  readonly values: readonly JsonValue[];
  readonly name: string | undefined;
}

function Values({ values, difference, name = 'this list' }: ValuesProps) {
  const isNarrow = useNarrow();
  const { shown, more } = useFirst(values, difference !== undefined, name);
  if (values.length === 0) return <code>[]</code>;
  // A phone has no room for columns, and differences are marked at their places.
  const columns = isNarrow || difference ? undefined : columnsOf(values);
  if (columns) {
    return (
      <>
        <Table rows={shown as readonly JsonObject[]} columns={columns} />
        {more}
      </>
    );
  }
  return (
    <>
      <ul className={css.values}>
        {shown.map((value, index) => {
          const at = difference?.within?.get(String(index));
          return (
            <li key={index}>
              {at && !at.within && <Differs difference={at} value={value} />}
              <Value value={value} difference={at} name={`${name} ${index + 1}`} />
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}

function useFirst<Entry>(entries: readonly Entry[], isWhole: boolean, name: string) {
  const [isOpen, setOpen] = useState(false);
  if (isWhole || isOpen || entries.length <= MOST_ENTRIES) return { shown: entries, more: null };
  const more = (
    <Button
      kind="quiet"
      onPress={() => {
        setOpen(true);
      }}
    >
      Show all {entries.length}
      <span className="only-heard"> of {visible(name)}</span>
    </Button>
  );
  return { shown: entries.slice(0, MOST_ENTRIES), more };
}

interface TableProps {
  readonly rows: readonly JsonObject[];
  readonly columns: readonly string[];
}

/** Objects that are alike, side by side. */
function Table({ rows, columns }: TableProps) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" className={numberIn(rows[0], name)}>
              <Written text={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((name) => {
              const value = own(row, name);
              return (
                <td key={name} className={numberIn(row, name)}>
                  {value === undefined ? <NotGiven /> : <Value value={value} name={name} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function numberIn(row: JsonObject | undefined, name: string): string | undefined {
  return typeof own(row, name) === 'number' ? css.number : undefined;
}

/** A cell of an object that lacks the name. An empty text or null would look otherwise. */
function NotGiven() {
  return (
    <span className={css.lacking}>
      <span aria-hidden="true">–</span>
      <span className="only-heard">not given</span>
    </span>
  );
}

/** The context that an agent gives with a question, so that people can decide. */
export function Context({ context, difference }: Among & { readonly context: JsonObject }) {
  const { shown: entries, more } = useFirst(
    Object.entries(context),
    difference !== undefined,
    'this object',
  );
  const lacking = namesLacking(context, difference);
  if (entries.length + lacking.length === 0) return <code>{'{}'}</code>;
  return (
    <>
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
                <Value value={value} difference={at} name={name} />
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
      {more}
    </>
  );
}

/** Returns the names in other contexts that this one lacks. */
function namesLacking(context: JsonObject, difference: Difference | undefined) {
  const within = [...(difference?.within ?? [])];
  return within.filter(([name]) => own(context, name) === undefined);
}
