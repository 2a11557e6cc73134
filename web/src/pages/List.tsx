import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Entry } from '../api/types.js';
import { Filters } from '../parts/Filters.js';
import { ListState } from '../parts/ListState.js';
import { Problem } from '../parts/Problem.js';
import { Rows } from '../parts/Rows.js';
import { SelectionBar } from '../parts/SelectionBar.js';
import { Views } from '../parts/Views.js';
import { channelOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useNarrow } from '../state/narrow.js';
import { useCounts, useList } from '../state/questions.js';
import { toggleSelected, useSelection } from '../state/selection.js';
import { useMay, useMe } from '../state/session.js';
import { labelOf, rememberList, useFilters, viewOf } from '../state/views.js';
import type { Filters as Narrowed, View } from '../state/views.js';
import css from './List.module.css';

/** The questions of a view, the most urgent first. */
export function List() {
  const [path] = useLocation();
  const view = viewOf(path);
  const { filters, change, isNarrowed, search } = useFilters();
  const list = useList(view, filters);
  const counts = useCounts();
  const me = useMe();
  const may = useMay();
  const selection = useSelection();
  const searchRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    rememberList(path, search);
  }, [path, search]);
  useTitle(`${labelOf(view)} · Holdpoint`, counts.for_me);
  useKeys({
    '/': () => {
      searchRef.current?.focus();
      searchRef.current?.select();
    },
    Escape: () => {
      if (document.activeElement === searchRef.current) searchRef.current?.blur();
    },
  });
  const channels = useMemo(() => channelsIn(list.entries), [list.entries]);
  // On a phone questions are answered one at a time.
  const isNarrow = useNarrow();
  const canSelect =
    !isNarrow && may('respond') && view !== 'settled' && filters.state === undefined;
  return (
    <div className={css.page}>
      <Views current={view} counts={counts} />
      <main id="main" className={css.main}>
        <h1 className="only-heard">{labelOf(view)}</h1>
        <div className={css.tools}>
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
          me={me?.principal}
          canSelect={canSelect}
          isNarrowed={isNarrowed}
          change={change}
          counts={counts}
        />
      </main>
    </div>
  );
}

/** The rows, or why there are none. */
function ListBody({
  list,
  view,
  me,
  canSelect,
  isNarrowed,
  change,
  counts,
}: {
  readonly list: ReturnType<typeof useList>;
  readonly view: View;
  readonly me: string | undefined;
  readonly canSelect: boolean;
  readonly isNarrowed: boolean;
  readonly change: (filters: Narrowed) => void;
  readonly counts: ReturnType<typeof useCounts>;
}) {
  const selection = useSelection();
  if (list.isError) return <Problem error={list.error} retry={() => void list.refetch()} />;
  if (list.entries.length === 0) {
    return (
      <ListState
        isPending={list.isPending}
        view={view}
        isNarrowed={isNarrowed}
        clear={() => {
          change({ text: undefined, channel: undefined, group: undefined, state: undefined });
        }}
        open={counts}
      />
    );
  }
  return (
    <Rows
      entries={list.entries}
      me={me}
      selection={selection}
      onSelect={canSelect ? toggleSelected : undefined}
      hasMore={list.hasNextPage}
      loadMore={() => {
        if (!list.isFetchingNextPage) void list.fetchNextPage();
      }}
    />
  );
}

/** The title of the tab, which counts what waits for whoever is signed in. */
function useTitle(title: string, count: number | undefined): void {
  useEffect(() => {
    document.title = count ? `(${count}) ${title}` : title;
  }, [title, count]);
}

function channelsIn(entries: readonly Entry[]): readonly string[] {
  const names = entries.map(channelOf).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}
