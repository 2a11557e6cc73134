import { memo } from 'react';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import { summaryOf } from '../../../domain/approval/asking/summary.js';
import type { Entry } from '../api/types.js';
import { claimOf } from '../state/claims.js';
import { atTime } from '../state/clock.js';
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
} from '../state/facts.js';
import { useSnoozeOf } from '../state/snoozes.js';
import { visible } from '../state/visible.js';
import { Ago, TimeLeft } from './TimeLeft.js';
import { Badge, RiskBadge, cx } from './ui.js';
import css from './Row.module.css';

interface RowProps {
  readonly entry: Entry;
  readonly me: string | undefined;
  readonly isSelected: boolean;
  /** Undefined if questions cannot be answered together here. */
  readonly onSelect: ((entry: Entry) => void) | undefined;
  readonly onFocus: (id: string) => void;
  /** Whether the question is open beside the list. */
  readonly isOpen: boolean;
  readonly opened: ((entry: Entry, event: MouseEvent) => void) | undefined;
}

/** One question in the list, with the facts by which people decide whether to open it now. */
export const Row = memo(function Row(props: RowProps) {
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

/** The facts that distinguish a question from others. */
function Facts({ entry, me }: Pick<RowProps, 'entry' | 'me'>) {
  const { approvals, required, blocks, comment_count, record } = entry;
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
      {blocks > 0 && (
        <span className={css.queue}>
          <Badge>unblocks {blocks}</Badge>
        </span>
      )}
    </>
  );
}
