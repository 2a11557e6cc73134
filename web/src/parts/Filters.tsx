import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { Filters as Narrowed, View } from '../state/views.js';
import { visible } from '../state/visible.js';
import css from './Filters.module.css';

const SEARCH_MS = 250;

interface FiltersProps {
  readonly view: View;
  readonly filters: Narrowed;
  readonly change: (part: Narrowed) => void;
  readonly channels: readonly string[];
  readonly groups: readonly string[];
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

/** What narrows the list: words, and what the view can be divided by. */
export function Filters({ view, filters, change, channels, groups, searchRef }: FiltersProps) {
  const hasStates = view === 'all' || view === 'settled';
  const first = view === 'all' ? 'Open' : 'Every outcome';
  return (
    <search className={css.filters}>
      <SearchField text={filters.text ?? ''} change={change} searchRef={searchRef} />
      {hasStates && (
        <Choice
          label="State"
          value={filters.state}
          none={first}
          options={[
            ['responded', 'Answered'],
            ['expired', 'Expired'],
            ['cancelled', 'Withdrawn'],
          ]}
          onChange={(state) => {
            change({ state });
          }}
        />
      )}
      {(channels.length > 0 || filters.channel !== undefined) && (
        <Choice
          label="Channel"
          value={filters.channel}
          none="Every channel"
          options={named(channels, filters.channel)}
          onChange={(channel) => {
            change({ channel });
          }}
        />
      )}
      {view === 'groups' && groups.length > 1 && (
        <Choice
          label="Group"
          value={filters.group}
          none="All my groups"
          options={named(groups, filters.group)}
          onChange={(group) => {
            change({ group });
          }}
        />
      )}
    </search>
  );
}

/** The names as options; one that is chosen stays, also where it is no longer among them. */
function named(names: readonly string[], chosen: string | undefined) {
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => [name, name] as const);
}

function SearchField({
  text,
  change,
  searchRef,
}: {
  readonly text: string;
  readonly change: FiltersProps['change'];
  readonly searchRef: FiltersProps['searchRef'];
}) {
  const [typed, setTyped] = useState(text);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Until the words count, another filter or view may be chosen, which they must not undo.
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    // The words as they are typed may end with a space, or be further by now.
    setTyped((last) => (last.trim() === text ? last : text));
    return () => {
      clearTimeout(waiting.current);
    };
  }, [text]);
  return (
    <input
      ref={searchRef}
      type="search"
      className={css.search}
      dir="auto"
      value={typed}
      placeholder="Search questions"
      aria-label="Search questions"
      aria-keyshortcuts="/"
      onChange={({ target: { value } }) => {
        setTyped(value);
        clearTimeout(waiting.current);
        waiting.current = setTimeout(() => {
          latest.current({ text: value.trim() });
        }, SEARCH_MS);
      }}
    />
  );
}

function Choice({
  label,
  value,
  none,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly none: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <select
      aria-label={label}
      dir="auto"
      value={value ?? ''}
      onChange={(event) => {
        onChange(event.target.value === '' ? undefined : event.target.value);
      }}
    >
      <option value="">{none}</option>
      {options.map(([name, shown]) => (
        <option key={name} value={name}>
          {visible(shown)}
        </option>
      ))}
    </select>
  );
}
