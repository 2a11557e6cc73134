import { memo } from 'react';
import { Link } from 'wouter';
import type { Entry } from '../api/types.js';
import { serverNow } from '../state/clock.js';
import {
  channelOf,
  endText,
  forWhom,
  headingOf,
  kindOf,
  resultText,
  riskOf,
} from '../state/facts.js';
import { visible } from '../state/visible.js';
import { Ago, TimeLeft } from './TimeLeft.js';
import { Badge, cx } from './ui.js';
import css from './Row.module.css';

const RISK_TONES = { low: 'plain', medium: 'info', high: 'warn', critical: 'danger' } as const;

interface RowProps {
  readonly entry: Entry;
  readonly me: string | undefined;
  readonly isSelected: boolean;
  /** Undefined where nothing can be answered together. */
  readonly onSelect: ((entry: Entry) => void) | undefined;
  readonly onFocus: (id: string) => void;
}

/** One question in the list: what it is about, and what tells whether to open it now. */
export const Row = memo(function Row({ entry, me, isSelected, onSelect, onFocus }: RowProps) {
  const { id, record, attempt, max_attempts } = entry;
  const channel = channelOf(entry);
  const whom = forWhom(entry);
  return (
    <div className={cx(css.row, isSelected && css.selected)} data-row={id}>
      {onSelect && (
        <label className={css.select}>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Select: ${headingOf(record.question)}`}
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
        onFocus={() => {
          onFocus(id);
        }}
      >
        <span className={css.title} dir="auto">
          {headingOf(record.question)}
        </span>
        <span className={css.meta}>
          {visible(entry.asked_by)}
          {whom !== undefined && ` for ${whom}`}
          {` · ${kindOf(entry)}`}
          {max_attempts > 1 && ` · attempt ${attempt} of ${max_attempts}`}
          {channel !== undefined && ` · ${visible(channel)}`}
        </span>
      </Link>
      <div className={css.facts}>
        <Facts entry={entry} me={me} />
      </div>
    </div>
  );
});

/** What sets a question apart from others. */
function Facts({ entry, me }: { readonly entry: Entry; readonly me: string | undefined }) {
  const { approvals, required, claim, blocks, comment_count } = entry;
  const risk = riskOf(entry);
  if (entry.state === 'settled') {
    const isAnswered = entry.record.resolution === 'responded';
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
  const isHeld = claim && Date.parse(claim.expires_at) > serverNow();
  return (
    <>
      {risk && <Badge tone={RISK_TONES[risk]}>{risk} risk</Badge>}
      {required > 1 && (
        <Badge tone="info">
          {approvals} of {required}
        </Badge>
      )}
      {isHeld && (
        <Badge tone="good">
          {claim.holder === me ? 'Yours' : `${visible(claim.holder)} has it`}
        </Badge>
      )}
      {comment_count > 0 && (
        <Badge>{comment_count === 1 ? '1 comment' : `${comment_count} comments`}</Badge>
      )}
      {blocks > 0 && <Badge>unblocks {blocks}</Badge>}
    </>
  );
}
