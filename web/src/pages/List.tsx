import { Link, useLocation } from 'wouter';
import { api } from '../api/calls.js';
import { useAttempt } from '../state/answering/acting.js';
import { useCounts, useHasHistory, useList, useMatches } from '../state/list/questions.js';
import { useMay, useMe } from '../state/session.js';
import {
  OPEN,
  OVER,
  addressOf,
  isOfSettled,
  labelOf,
  rememberList,
  useListed,
  type Filters as ListFilters,
  type View,
} from '../state/list/views.js';
import { Problem } from '../parts/Problem.js';
import { Blank, Button, cx } from '../parts/ui.js';
import css from './List.module.css';
import { select, toggleSelected, useSelection } from '../state/list/selection.js';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Entry } from '../api/types.js';
import { Filters } from '../parts/list/Filters.js';
import { Rows, type RowsProps } from '../parts/list/Rows.js';
import { channelOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useNarrow } from '../state/list/narrow.js';
import { startReading, walkTo } from '../state/list/walk.js';

interface ListStateProps {
  readonly isPending: boolean;
  readonly view: View;
}

const EMPTY: Readonly<Record<View, string>> = {
  for_me: 'No open question waits for you.',
  claimed: 'You have claimed no open question.',
  groups: 'No open question waits for your groups.',
  all: 'No question is open.',
  snoozed: 'You have put off no question.',
  answered: 'You have answered no question yet.',
  settled: 'No question has ended yet.',
};

/** Says why no question is shown: the list is loading, nobody has asked anything, or no question remains. */
function ListState({ isPending, view }: ListStateProps) {
  const hasHistory = useHasHistory();
  const { filters, isNarrowed, clear } = useListed();
  const { all: others = 0 } = useCounts();
  if (isPending || hasHistory === undefined) return <Loading />;
  if (isNarrowed) {
    return (
      <Blank title="No match" actions={<Button onPress={clear}>Clear the filters</Button>}>
        <p>No question of this view has these words and filters.</p>
        <OtherMatches {...filters} />
      </Blank>
    );
  }
  if (!hasHistory) return <NothingYet />;
  return (
    <Blank title={view === 'for_me' ? 'All done' : 'Nothing here'}>
      <p>{EMPTY[view]}</p>
      {view !== 'all' && !isOfSettled(view, {}) && others > 0 && (
        <p>
          <Link href="/all">
            {others === 1 ? 'One question is open' : `${others} questions are open`}
          </Link>{' '}
          in all.
        </p>
      )}
    </Blank>
  );
}

/** Links to the questions with the same words and channel that this view does not show. */
function OtherMatches({ text, channel }: ListFilters) {
  const { open, over } = useMatches({ text, channel });
  const found = [
    { state: OPEN, count: open, kind: 'open' },
    { state: OVER, count: over, kind: 'settled' },
  ];
  return found.map(
    ({ state, count, kind }) =>
      count > 0 && (
        <p key={kind}>
          <Link href={addressOf({ text, channel, state })}>
            {count === 1 ? `One ${kind} question matches` : `${count} ${kind} questions match`}
          </Link>
        </p>
      ),
  );
}

function Loading() {
  return (
    <div className={css.loading} role="status">
      <span className="only-heard">Loading the questions…</span>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={css.bone} aria-hidden="true" />
      ))}
    </div>
  );
}

function NothingYet() {
  const may = useMay();
  const { run, error } = useAttempt();
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      <Blank
        title="Nothing yet"
        actions={
          may('openSuspension') && (
            // The stream reports the new question, like any other.
            <Button kind="primary" onPress={() => void run(api.askSample)}>
              Ask a sample question
            </Button>
          )
        }
      >
        <p>
          No agent has asked anything. Questions appear here by themselves as soon as one does. To
          try it from a shell, with the key of an agent:{' '}
          <code>holdpoint ask &quot;Shall we?&quot;</code>
        </p>
      </Blank>
    </>
  );
}

function SelectionBar() {
  const selection = useSelection();
  const [, navigate] = useLocation();
  return (
    <div className={css.bar} role="group" aria-label="Selected questions">
      <span aria-live="polite">{selection.size} selected</span>
      <Button
        kind="primary"
        onPress={() => {
          navigate('/bulk');
        }}
      >
        Answer together…
      </Button>
      <Button
        kind="quiet"
        onPress={() => {
          select([]);
        }}
      >
        Clear
      </Button>
    </div>
  );
}

interface ListProps {
  readonly open: string | undefined;
  readonly isBeside: boolean;
  readonly waiting: number | undefined;
}

export function List({ open, isBeside, waiting }: ListProps) {
  const { address, view, filters, change } = useListed();
  const list = useList(view, filters);
  const me = useMe();
  const may = useMay();
  const selection = useSelection();
  const searchRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    rememberList(address);
  }, [address]);
  useTitle(open === undefined ? `${labelOf(view)} · Holdpoint` : undefined, waiting);
  useKeys({
    '/': () => {
      searchRef.current?.focus();
      searchRef.current?.select();
    },
    // An open question handles Escape itself: it leaves the field before it closes.
    Escape: open === undefined ? () => searchRef.current?.blur() : undefined,
  });
  const channels = useMemo(() => channelsIn(list.entries), [list.entries]);
  // On a phone questions are answered one at a time.
  const isNarrow = useNarrow();
  const canSelect =
    !isNarrow && may('respond') && view !== 'answered' && !isOfSettled(view, filters);
  const opened = useOpened(open);
  // A page has one heading of the first level, which is that of an open question.
  const Heading = open === undefined ? 'h1' : 'h2';
  return (
    <div
      className={cx(css.list, isBeside && css.beside)}
      data-compact={isBeside || isNarrow || undefined}
    >
      <Heading className="only-heard">{labelOf(view)}</Heading>
      <div className={cx('wrapping', css.tools)}>
        <Filters
          view={view}
          filters={filters}
          change={change}
          channels={channels}
          groups={me?.groups ?? []}
          searchRef={searchRef}
        />
        {canSelect && selection.size > 0 && <SelectionBar />}
      </div>
      <ListBody
        list={list}
        view={view}
        canSelect={canSelect}
        open={open}
        opened={isBeside ? opened : undefined}
      />
    </div>
  );
}

/** Moves the reading position to a question that is opened beside the list, even if it is open already. */
function useOpened(open: string | undefined): NonNullable<RowsProps['opened']> {
  return useCallback(
    (entry, event) => {
      if (entry.id !== open) {
        walkTo(entry.id, open !== undefined);
        return;
      }
      event.preventDefault();
      startReading();
    },
    [open],
  );
}

interface ListBodyProps extends Pick<RowsProps, 'open' | 'opened'> {
  readonly list: ReturnType<typeof useList>;
  readonly view: View;
  readonly canSelect: boolean;
}

function ListBody({ list, view, canSelect, open, opened }: ListBodyProps) {
  if (list.isError) return <Problem error={list.error} retry={() => void list.refetch()} />;
  if (list.entries.length === 0) return <ListState isPending={list.isPending} view={view} />;
  return (
    <Rows
      entries={list.entries}
      onSelect={canSelect ? toggleSelected : undefined}
      open={open}
      opened={opened}
      hasMore={list.hasNextPage}
      loadMore={() => {
        if (!list.isFetchingNextPage) void list.fetchNextPage();
      }}
    />
  );
}

/** Sets the title of the tab, with the number of questions for this person. An open question sets its own. */
function useTitle(title: string | undefined, count: number | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = count ? `(${count}) ${title}` : title;
  }, [title, count]);
}

function channelsIn(entries: readonly Entry[]): readonly string[] {
  const names = entries.map(channelOf).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}
