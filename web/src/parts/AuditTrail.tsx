import type { JsonObject } from '../../../contracts/primitives.js';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { Section } from './ui.js';
import { Written } from './Written.js';
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
  const { timeline, votes } = question;
  return (
    <Section title="Audit trail" aside={`${timeline.length}`} folds>
      <ol className={css.entries}>
        {timeline.map(({ sequence, at, kind, detail }) => (
          <li key={sequence}>
            <time dateTime={at} title={at}>
              {atTime(at)}
            </time>
            <span>{WORDS[kind] ?? kind}</span>
            <Written
              text={detailText(
                kind === 'vote_counted' ? { ...detail, ...noteOf(detail, at, votes) } : detail,
              )}
              className={css.detail}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The note with a vote: the timeline does not repeat it. A vote of a version before is no longer there. */
function noteOf(detail: JsonObject, at: string, votes: Question['votes']): JsonObject {
  const vote = votes.find(
    ({ principal, counted_at }) => principal === detail.submitted_by && counted_at === at,
  );
  return vote?.comment === undefined ? {} : { comment: vote.comment };
}

/** The fields that name who did it, and those that name whose key or token proved it. */
const WHO =
  /^(responded|asked|claimed|released|delegated|amended|changed|edited|cancelled)_by$|^(actor|by)$/;
const PROOF = /^(submitted_by|commented_by|principal)$/;

/** Names first: who it was, and what proved it. */
function detailText(detail: JsonObject): string {
  const facts = Object.entries(detail).filter(
    ([name, value]) => value !== null && name !== 'delivery_id',
  );
  const named = facts.find(([name]) => WHO.test(name));
  const proved = facts.find(([name]) => PROOF.test(name));
  const others = facts.filter((fact) => fact !== named && fact !== proved);
  return [
    ...(named ? [shown(named[1])] : []),
    ...(proved && proved[1] !== named?.[1] ? [`proved as ${shown(proved[1])}`] : []),
    ...others.map(([name, value]) => `${name.replaceAll('_', ' ')} ${shownAs(name, value)}`),
  ].join(' · ');
}

/** A value by what its field means: what somebody wrote stays as it is, though it looks like an instant. */
function shownAs(name: string, value: unknown): string {
  if (!name.endsWith('_at') || typeof value !== 'string') return shown(value);
  return Number.isNaN(Date.parse(value)) ? value : atTime(value);
}

/** A value as it is: also a long one, for what is cut short nobody can check. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
