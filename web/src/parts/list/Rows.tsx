import { memo, useCallback, useEffect, useRef, useState, type MouseEvent } from 'react';
import { Link } from 'wouter';
import type { ApprovalPart } from '../../../../contracts/approval/approval.js';
import { summaryOf } from '../../../../domain/approval/asking/summary.js';
import type { Entry } from '../../api/types.js';
import { claimOf } from '../../state/answering/acting.js';
import { atTime } from '../../state/clock.js';
import {
  ROW_HEADING,
  beginningOf,
  channelOf,
  endText,
  forWhom,
  headingOf,
  kindOf,
  moreOf,
  resultText,
  shortText,
} from '../../state/facts.js';
import { useSnoozeOf } from '../../state/list/snoozes.js';
import { visible } from '../../state/list/visible.js';
import { Ago, TimeLeft } from '../question/TimeLeft.js';
import { Badge, RiskBadge, cx } from '../ui.js';
import css from './Rows.module.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useKeys } from '../../state/keys.js';
import { useNarrow } from '../../state/list/narrow.js';
import { useSelection } from '../../state/list/selection.js';
import { usePrincipal } from '../../state/session.js';

interface RowProps {
  readonly entry: Entry;
  readonly me: string | undefined;
  readonly isSelected: boolean;
  /** Undefined if several questions cannot be answered together here. */
  readonly onSelect: ((entry: Entry) => void) | undefined;
  readonly onFocus: (id: string) => void;
  readonly isOpen: boolean;
  readonly opened: ((entry: Entry, event: MouseEvent) => void) | undefined;
}

/** One question in the list, with the facts by which people decide whether to open it now. */
const Row = memo(function Row(props: RowProps) {
  const { entry, me, isSelected, onSelect, onFocus, isOpen, opened } = props;
  const { id, record, attempt, max_attempts } = entry;
  const channel = channelOf(entry);
  const whom = forWhom(entry);
  const more = moreOf(record.question);
  return (
    <div className={cx(css.row, isSelected && css.selected, isOpen && css.open)} data-row={id}>
      {onSelect && (
        <label className={css.select}>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select: ${beginningOf(record.question)}`}
            onChange={() => {
              onSelect(entry);
            }}
          />
        </label>
      )}
      <div className={css.when}>
        {entry.state === 'pending' ? (
          <TimeLeft expiresAt={record.expires_at} />
        ) : (
          <Ago at={record.settled_at ?? record.suspended_at} />
        )}
      </div>
      <Link
        href={`/q/${id}`}
        className={css.question}
        aria-current={isOpen || undefined}
        onClick={(event) => opened?.(entry, event)}
        onFocus={() => {
          onFocus(id);
        }}
      >
        <span className={css.title} dir="auto">
          {headingOf(record.question, ROW_HEADING)}
        </span>
        {more !== '' && (
          <span className={css.summary} dir="auto">
            {more}
          </span>
        )}
        <span className={css.meta}>
          {visible(entry.asked_by)}
          {whom !== undefined && ` for ${whom}`}
          {` · ${kindOf(entry)} · asked `}
          <Ago at={record.suspended_at} />
          {max_attempts > 1 && ` · attempt ${attempt} of ${max_attempts}`}
          {channel !== undefined && ` · ${visible(channel)}`}
        </span>
        {record.approval && <Summary approval={record.approval} />}
      </Link>
      <div className={css.facts}>
        <Facts entry={entry} me={me} />
      </div>
    </div>
  );
});

/** The call that waits for approval, with the arguments by which people know it. The question shows all of it. */
function Summary({ approval }: { readonly approval: ApprovalPart }) {
  const call = summaryOf(approval);
  if (call === undefined) return null;
  return (
    <span className={css.summary}>
      <bdi>{visible(call.tool)}</bdi>
      {call.arguments.map(([path, value]) => (
        <span key={path}>
          {' '}
          <bdi className={css.name}>{visible(path)}</bdi> <bdi>{shortText(value)}</bdi>
        </span>
      ))}
      {call.others > 0 && ` and ${call.others} more`}
    </span>
  );
}

function Facts({ entry, me }: Pick<RowProps, 'entry' | 'me'>) {
  const { approvals, required, comment_count, record } = entry;
  const risk = record.approval?.proposal.risk_class;
  const snooze = useSnoozeOf(entry.id);
  if (entry.state === 'settled') {
    const isAnswered = record.resolution === 'responded';
    const result = resultText(entry);
    return (
      <>
        {result !== undefined && (
          <span className={css.result} dir="auto" title={result}>
            {result}
          </span>
        )}
        <Badge tone={isAnswered ? 'good' : 'plain'}>{endText(entry)}</Badge>
      </>
    );
  }
  const claim = claimOf(entry);
  return (
    <>
      {snooze && <Badge tone="info">Snoozed until {atTime(snooze.until)}</Badge>}
      {risk && <RiskBadge risk={risk} />}
      {required > 1 && (
        <Badge tone="info">
          {approvals} of {required}
        </Badge>
      )}
      {claim && (
        <Badge tone="good">
          {claim.holder === me ? 'Yours' : `${visible(claim.holder)} has it`}
        </Badge>
      )}
      {comment_count > 0 && (
        <Badge>{comment_count === 1 ? '1 comment' : `${comment_count} comments`}</Badge>
      )}
    </>
  );
}

/** The height of a row in px, and what a line with a call, or with more of the question, adds to it. */
const HEIGHT = 58;
const PHONE_HEIGHT = 124;
const BESIDE_HEIGHT = 98;
const LINE_HEIGHT = 20;
/** More rows are loaded when so many remain. */
const AHEAD = 15;

export interface RowsProps {
  readonly entries: readonly Entry[];
  readonly onSelect: ((entry: Entry) => void) | undefined;
  readonly open: string | undefined;
  /** Called before a question opens beside the list; undefined if it replaces the list. */
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
 * Moves through the list by keys. The link of the active row has the focus, so Enter opens it. The row stays active
 * if it moves. A question beside the list has the active row, and its keys go to the next one.
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
    // Somebody who leaves a question continues from its row.
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
