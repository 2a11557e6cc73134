import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import type { Entry } from '../api/types.js';
import { moreOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useNarrow } from '../state/narrow.js';
import { useSelection } from '../state/selection.js';
import { usePrincipal } from '../state/session.js';
import { Row } from './Row.js';
import css from './Rows.module.css';

/** The height of a row in px, and what a line with a call, or with more of the question, adds to it. */
const HEIGHT = 58;
const PHONE_HEIGHT = 124;
const BESIDE_HEIGHT = 98;
const LINE_HEIGHT = 20;
/** More rows are loaded when this many are left. */
const AHEAD = 15;

export interface RowsProps {
  readonly entries: readonly Entry[];
  readonly onSelect: ((entry: Entry) => void) | undefined;
  /** The question that is open beside the list. */
  readonly open: string | undefined;
  /** Is called before a question opens beside the list; undefined if it takes the place of the list. */
  readonly opened: ((entry: Entry, event: MouseEvent) => void) | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** A list that renders only the visible rows, so that ten thousand are no more work than twenty. */
export function Rows({ entries, onSelect, open, opened, hasMore, loadMore }: RowsProps) {
  const me = usePrincipal();
  const selection = useSelection();
  const scroller = useRef<HTMLDivElement>(null);
  const deskHeight = opened ? BESIDE_HEIGHT : HEIGHT;
  const height = useNarrow() ? PHONE_HEIGHT : deskHeight;
  // A new function would have all rows measured again, at each key and each step of scrolling.
  const estimateSize = useCallback(
    (index: number) => height + LINE_HEIGHT * linesOf(entries[index]),
    [entries, height],
  );
  const getItemKey = useCallback((index: number) => entries[index]?.id ?? index, [entries]);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= entries.length - AHEAD) loadMore();
  });
  const setActive = useRowKeys({ entries, onSelect, open }, scroller.current, (index) => {
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
                  isOpen={entry.id === open}
                  opened={opened}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** How many lines a row has besides those that each has. */
function linesOf(entry: Entry | undefined): number {
  if (!entry) return 0;
  const { approval, question } = entry.record;
  const hasCall = (approval?.proposal.calls.length ?? 0) > 0;
  return Number(hasCall) + Number(moreOf(question) !== '');
}

/**
 * Moves through the list by keys. The link of the active row has the focus, so Enter opens it. The row stays active if it moves. If a
 * question is open beside the list, its row is active, and the keys of the question go to the next one.
 */
function useRowKeys(
  { entries, onSelect, open }: Pick<RowsProps, 'entries' | 'onSelect' | 'open'>,
  scroller: HTMLElement | null,
  scrollTo: (index: number) => void,
) {
  const [active, setActive] = useState<string>();
  const [wanted, setWanted] = useState<string>();
  const indexOf = (id: string | undefined) => entries.findIndex((entry) => entry.id === id);
  useEffect(() => {
    if (wanted === undefined) return;
    const link = scroller?.querySelector<HTMLElement>(`[data-row="${wanted}"] a`);
    if (!link) return;
    link.focus({ preventScroll: true });
    setWanted(undefined);
  });
  const isListed = open !== undefined && indexOf(open) >= 0;
  useEffect(() => {
    if (!isListed) return;
    setActive(open);
    scrollTo(indexOf(open));
    // A row that moves while somebody reads its question does not make the list scroll.
  }, [open, isListed]);
  const before = useRef(open);
  useEffect(() => {
    // Whoever leaves a question goes on from its row.
    if (open === undefined && document.activeElement === document.body) {
      setWanted(entries[indexOf(before.current)]?.id);
    }
    before.current = open;
  }, [open]);
  const move = (by: number) => {
    const at = indexOf(active);
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1);
    const entry = entries[next];
    if (!entry) return;
    setActive(entry.id);
    scrollTo(next);
    setWanted(entry.id);
  };
  const current = entries[indexOf(active)];
  const steps = {
    j: () => {
      move(1);
    },
    k: () => {
      move(-1);
    },
  };
  useKeys(open === undefined ? steps : {}, true);
  useKeys({ x: current && onSelect && (() => onSelect(current)) });
  return setActive;
}
