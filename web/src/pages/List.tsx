import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Entry } from '../api/types.js';
import { Filters } from '../parts/Filters.js';
import { ListState } from '../parts/ListState.js';
import { Problem } from '../parts/Problem.js';
import { Rows } from '../parts/Rows.js';
import type { RowsProps } from '../parts/Rows.js';
import { SelectionBar } from '../parts/SelectionBar.js';
import { channelOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useNarrow } from '../state/narrow.js';
import { useList } from '../state/questions.js';
import { toggleSelected, useSelection } from '../state/selection.js';
import { useMay, useMe } from '../state/session.js';
import { isOfSettled, labelOf, rememberList, useListed } from '../state/views.js';
import type { View } from '../state/views.js';
import { startReading, walkTo } from '../state/walk.js';
import { cx } from '../parts/ui.js';
import css from './List.module.css';

interface ListProps {
  /** The question that is open beside it. */
  readonly open: string | undefined;
  /** Whether questions open beside it. */
  readonly isBeside: boolean;
  /** How many questions wait for this person. */
  readonly waiting: number | undefined;
}

/** The questions of a view, the most urgent first. */
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
    // A question that is open leaves the field itself, before it closes.
    Escape: open === undefined ? () => searchRef.current?.blur() : undefined,
  });
  const channels = useMemo(() => channelsIn(list.entries), [list.entries]);
  // On a phone questions are answered one at a time.
  const isNarrow = useNarrow();
  const canSelect =
    !isNarrow && may('respond') && view !== 'answered' && !isOfSettled(view, filters);
  const opened = useOpened(open);
  // A page has one heading of the first level, and a question that is open is what it is about.
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

/** Has somebody who opens a question beside the list begin to read it, also if it is open already. */
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

/** The rows, or the reason why there are none. */
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

/** Sets the title of the tab, with the number of questions that wait for this person. A question that is open sets its own. */
function useTitle(title: string | undefined, count: number | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = count ? `(${count}) ${title}` : title;
  }, [title, count]);
}

function channelsIn(entries: readonly Entry[]): readonly string[] {
  const names = entries.map(channelOf).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}
