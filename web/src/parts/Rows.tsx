import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Entry } from '../api/types.js';
import { useKeys } from '../state/keys.js';
import { isNarrow } from '../state/narrow.js';
import { Row } from './Row.js';
import css from './Rows.module.css';

const HEIGHT = 58;
const PHONE_HEIGHT = 104;
/** So many rows before the end of what is loaded, more are asked for. */
const AHEAD = 15;

interface RowsProps {
  readonly entries: readonly Entry[];
  readonly me: string | undefined;
  readonly selection: ReadonlyMap<string, Entry>;
  readonly onSelect: ((entry: Entry) => void) | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** A list of which only the visible rows exist, so that ten thousand are no more work than twenty. */
export function Rows({ entries, me, selection, onSelect, hasMore, loadMore }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = isNarrow() ? PHONE_HEIGHT : HEIGHT;
  // Another function each time would have all rows measured anew, with each key and each step of scrolling.
  const getItemKey = useCallback((index: number) => entries[index]?.id ?? index, [entries]);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= entries.length - AHEAD) loadMore();
  });
  const setActive = useRowKeys(entries, onSelect, scroller.current, (index) => {
    rows.scrollToIndex(index);
  });
  return (
    <div ref={scroller} className={css.scroller}>
      <ul className={css.rows} style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, size }) => {
          const entry = entries[index];
          return (
            entry && (
              <li
                key={entry.id}
                className={css.item}
                style={{ height: size, transform: `translateY(${start}px)` }}
                aria-setsize={hasMore ? -1 : entries.length}
                aria-posinset={index + 1}
              >
                <Row
                  entry={entry}
                  me={me}
                  isSelected={selection.has(entry.id)}
                  onSelect={onSelect}
                  onFocus={setActive}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** Moves through the list by keys: the link of the row gets the focus, so Enter opens it. The row in use is kept by its question, wherever a change moves it. */
function useRowKeys(
  entries: readonly Entry[],
  onSelect: RowsProps['onSelect'],
  scroller: HTMLElement | null,
  scrollTo: (index: number) => void,
) {
  const [active, setActive] = useState<string>();
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (wanted === undefined) return;
    const link = scroller?.querySelector<HTMLElement>(`[data-row="${wanted}"] a`);
    if (!link) return;
    link.focus({ preventScroll: true });
    setWanted(undefined);
  });
  const move = (by: number) => {
    const at = entries.findIndex(({ id }) => id === active);
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1);
    const entry = entries[next];
    if (!entry) return;
    setActive(entry.id);
    scrollTo(next);
    setWanted(entry.id);
  };
  const current = entries.find(({ id }) => id === active);
  useKeys({
    j: () => {
      move(1);
    },
    k: () => {
      move(-1);
    },
    x: current && onSelect && (() => onSelect(current)),
  });
  return setActive;
}
