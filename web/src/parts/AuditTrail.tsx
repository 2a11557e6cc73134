import type { JsonObject } from '../../../contracts/primitives.js';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { visible } from '../state/visible.js';
import { Section } from './ui.js';
import css from './Facts.module.css';

const WORDS: Readonly<Record<string, string>> = {
  opened: 'Asked',
  attempt: 'Attempt',
  attempt_skipped: 'Attempt skipped',
  delivered: 'Delivered',
  delivery_failed: 'Not delivered',
  delivery_superseded: 'Not delivered in time',
  answer_accepted: 'Answer accepted',
  answer_rejected: 'Answer refused',
  vote_counted: 'Answer counted',
  proposal_edited: 'Proposal edited',
  eligibility_changed: 'Who may answer changed',
  claimed: 'Claimed',
  released: 'Released',
  delegated: 'Delegated',
  commented: 'Commented',
  amended: 'Question changed',
  expired: 'Expired',
  cancelled: 'Withdrawn',
};

/** Everything that happened to a question, with who did it: the principal that a key proved, and the name it acted in. */
export function AuditTrail({ question }: { readonly question: Question }) {
  const { timeline } = question;
  return (
    <Section title="Audit trail" aside={`${timeline.length}`} folds>
      <ol className={css.entries}>
        {timeline.map(({ sequence, at, kind, detail }) => (
          <li key={sequence}>
            <time dateTime={at} title={at}>
              {atTime(at)}
            </time>
            <span>{WORDS[kind] ?? kind}</span>
            <span className={css.detail}>{visible(detailText(detail))}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Names first: who it was, and what proved it. */
function detailText(detail: JsonObject): string {
  const { responded_by, submitted_by, asked_by, by, principal, actor, ...rest } = detail;
  const who = responded_by ?? actor ?? asked_by ?? by;
  const proof = submitted_by ?? principal;
  const named = typeof who === 'string' ? [who] : [];
  const proved = typeof proof === 'string' && proof !== who ? [`proved as ${proof}`] : [];
  const others = Object.entries(rest).flatMap(([name, value]) =>
    value === null ? [] : [`${name.replaceAll('_', ' ')} ${shown(value)}`],
  );
  return [...named, ...proved, ...others].join(' · ');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 16)}…` : text;
}
