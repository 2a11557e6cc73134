import { Suspense, lazy, useEffect, useRef, useState, type RefObject } from 'react';
import { useSavedAs } from '../../state/list/saved-views.js';
import { useMay } from '../../state/session.js';
import { Button, Choice, optionsOf } from '../ui.js';
import {
  OPEN,
  OVER,
  isOfSettled,
  type Filters as ListFilters,
  type Filters as Narrowed,
  type View,
} from '../../state/list/views.js';
import css from './Filters.module.css';

const SavedViewDialog = lazy(async () => ({
  default: (await import('./SavedViewDialog.js')).SavedViewDialog,
}));

interface SaveViewProps {
  readonly view: View;
  readonly filters: ListFilters;
}

function SaveView({ view, filters }: SaveViewProps) {
  const [isOpen, setOpen] = useState(false);
  const saved = useSavedAs(view, filters);
  const maySave = useMay()('saveView');
  const isPlain = Object.keys(filters).length === 0;
  if (!maySave || (isPlain && saved === undefined && !isOpen)) return null;
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true);
        }}
      >
        {saved ? 'Edit view…' : 'Save view…'}
      </Button>
      <Suspense>
        {isOpen && (
          <SavedViewDialog
            view={view}
            filters={filters}
            saved={saved}
            onClose={() => {
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

const SEARCH_MS = 250;

const STATES = [
  ['responded', 'Answered'],
  ['expired', 'Expired'],
  ['cancelled', 'Withdrawn'],
] as const;
const STILL_OPEN = [[OPEN, 'Still open'], ...STATES] as const;
const ANY_STATE = [...STATES, [OVER, 'Every outcome']] as const;

const SORTS = [
  ['oldest', 'Oldest first'],
  ['newest', 'Newest first'],
  ['asker', 'By asker'],
  ['risk', 'Highest risk first'],
] as const;

interface FiltersProps {
  readonly view: View;
  readonly filters: Narrowed;
  readonly change: (part: Narrowed) => void;
  readonly channels: readonly string[];
  readonly groups: readonly string[];
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

export function Filters({ view, filters, change, channels, groups, searchRef }: FiltersProps) {
  const isWhole = view === 'settled' || view === 'answered';
  // A saved view or an address may name what the view does not offer.
  const hasStates = isWhole || view === 'all' || filters.state !== undefined;
  const states = view === 'answered' ? STILL_OPEN : isWhole ? STATES : ANY_STATE;
  return (
    <search className={css.filters}>
      <SearchField text={filters.text ?? ''} change={change} searchRef={searchRef} />
      {hasStates && (
        <Choice
          label="State"
          value={filters.state}
          none={isWhole ? 'Every outcome' : 'Open'}
          options={states}
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
          options={optionsOf(channels, filters.channel)}
          onChange={(channel) => {
            change({ channel });
          }}
        />
      )}
      {((view === 'groups' && groups.length > 1) || filters.group !== undefined) && (
        <Choice
          label="Group"
          value={filters.group}
          none="All my groups"
          options={optionsOf(groups, filters.group)}
          onChange={(group) => {
            change({ group });
          }}
        />
      )}
      <Choice
        label="Order"
        value={filters.sort}
        none={isOfSettled(view, filters) ? 'Last settled first' : 'Least time left first'}
        options={SORTS}
        onChange={(sort) => {
          change({ sort });
        }}
      />
      <SaveView view={view} filters={filters} />
    </search>
  );
}

interface SearchFieldProps extends Pick<FiltersProps, 'change' | 'searchRef'> {
  readonly text: string;
}

function SearchField({ text, change, searchRef }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Another filter or view may be chosen before the words are searched, and they must not undo it.
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    // The typed words may end with a space, or have grown since.
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
