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

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 16)}…` : text;
}
