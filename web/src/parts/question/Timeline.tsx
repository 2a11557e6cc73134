import type { ScheduledAttempt } from '../../../../contracts/suspension/retry-policy.js';
import type { Question } from '../../api/types.js';
import { atTime } from '../../state/clock.js';
import { callName, silenceText } from '../../state/facts.js';
import { pretty, visible } from '../../state/list/visible.js';
import { Ago, TimeLeft } from './TimeLeft.js';
import { Section, cx } from '../ui.js';
import css from './Timeline.module.css';
import type { ProposedCall } from '../../../../contracts/approval/approval.js';
import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import { isJsonObject } from '../../../../domain/kernel/json.js';
import { editsIn } from '../../../../domain/suspension/telling/proposal-edits.js';
import { ArgumentsDiff } from './Proposal.js';
import { Written } from './Written.js';
import factsCss from './Facts.module.css';

/** The attempts of a question: their plan, their results, and when the next one is due. */
export function Timeline({ question }: { readonly question: Question }) {
  const { schedule, record, attempt, max_attempts } = question;
  const isOpen = question.state === 'pending';
  return (
    <Section title="Reminders" aside={`attempt ${attempt} of ${max_attempts}`} folds>
      <ol className={css.steps}>
        {schedule.attempts.map((planned) => (
          <Attempt key={planned.attempt} planned={planned} question={question} />
        ))}
        {schedule.expires_at !== undefined && (isOpen || record.resolution === 'expired') && (
          <li className={cx(css.step, !isOpen && css.done)}>
            <span className={css.what}>{isOpen ? 'Expires' : 'Expired'}</span>
            <span className={css.when}>
              {isOpen ? <TimeLeft expiresAt={schedule.expires_at} /> : atTime(schedule.expires_at)}
            </span>
            <span className={css.fate}>then {silenceText(question)}</span>
          </li>
        )}
      </ol>
    </Section>
  );
}

interface AttemptProps {
  readonly planned: ScheduledAttempt;
  readonly question: Question;
}

function Attempt({ planned, question }: AttemptProps) {
  const { attempt, at } = planned;
  const isOpen = question.state === 'pending';
  const isDone = attempt <= question.attempt;
  const isNext = isOpen && attempt === question.attempt + 1;
  const fates = fatesOf(question, attempt);
  return (
    <li className={cx(css.step, isDone && css.done, isNext && css.next)}>
      <span className={css.what}>{targetOf(planned)}</span>
      <span className={css.when}>
        {isOpen || isDone ? <Ago at={at} /> : <span className={css.never}>not needed</span>}
      </span>
      {fates.length > 0 && <span className={css.fate}>{fates.join(', ')}</span>}
    </li>
  );
}

function targetOf({ attempt, channel_hint, notify_to }: ScheduledAttempt): string {
  const what = attempt === 1 ? 'Asked' : `Reminder ${attempt - 1}`;
  const via = channel_hint === null || channel_hint === '' ? '' : ` by ${channel_hint}`;
  return visible(`${what}${via}${notify_to === null ? '' : ` to ${notify_to}`}`);
}

const FATES: Readonly<Record<string, string>> = {
  delivered: 'delivered',
  delivery_failed: 'not delivered',
  delivery_superseded: 'not delivered in time',
  attempt_skipped: 'skipped',
};

/** Returns what happened to the messages of an attempt, by the timeline. */
function fatesOf({ timeline }: Question, attempt: number): readonly string[] {
  return timeline.flatMap(({ kind, detail, at }) => {
    const isOfAttempt = detail.attempt === attempt;
    if (isOfAttempt && detail.told === 'nobody') return ['told nobody'];
    const fate = isOfAttempt ? FATES[kind] : undefined;
    if (fate === undefined) return [];
    const why = typeof detail.error === 'string' ? `: ${visible(detail.error)}` : '';
    return [`${fate} ${atTime(at)}${why}`];
  });
}

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

/** Everything that happened to a question, with the person who did it and the principal that a key proved. */
export function AuditTrail({ question }: { readonly question: Question }) {
  const { timeline, votes, record } = question;
  const calls = record.approval?.proposal.calls ?? [];
  return (
    <Section title="Audit trail" aside={`${timeline.length}`} folds>
      <ol className={factsCss.entries}>
        {timeline.map((entry) => {
          const { sequence, at, kind, detail } = entry;
          return (
            <li key={sequence}>
              <time dateTime={at} title={at}>
                {atTime(at)}
              </time>
              <span>{detail.told === 'nobody' ? 'Told nobody' : (WORDS[kind] ?? kind)}</span>
              <Written
                text={detailText(
                  kind === 'vote_counted' ? { ...detail, ...noteOf(detail, at, votes) } : detail,
                )}
                className={factsCss.detail}
              />
              <Edits edits={editsIn([entry])} of={calls} />
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

interface EditsProps {
  readonly edits: ReturnType<typeof editsIn>;
  readonly of: readonly ProposedCall[];
}

/** Shows the changes of an edit of a proposal. The entry names arguments that were too large to keep. */
function Edits({ edits, of }: EditsProps) {
  return edits.flatMap(({ calls }) =>
    calls.map(({ call_id, before, after }) =>
      before && after ? (
        <div key={call_id} className={factsCss.edit}>
          <ArgumentsDiff
            before={pretty(before)}
            after={pretty(after)}
            title={`Changed in ${callName(of, call_id)}`}
          />
        </div>
      ) : null,
    ),
  );
}

/** Returns the note with a vote, which the timeline does not have. Votes for previous versions are gone. */
function noteOf(detail: JsonObject, at: string, votes: Question['votes']): JsonObject {
  const vote = votes.find(
    ({ principal, counted_at }) => principal === detail.submitted_by && counted_at === at,
  );
  return vote?.comment === undefined ? {} : { comment: vote.comment };
}

/** The fields that name the person who did it, and those that name the owner of the key or token. */
const WHO =
  /^(responded|asked|claimed|released|delegated|amended|changed|edited|cancelled)_by$|^(actor|by)$/;
const PROOF = /^(submitted_by|commented_by|principal)$/;

/** Writes the details of an entry, the person and the proof first. */
function detailText(detail: JsonObject): string {
  const facts = Object.entries(detail).filter(
    ([name, value]) => value !== null && name !== 'delivery_id' && !isShownEdit(name, detail),
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

/** Whether all changed arguments of an edit are shown below the entry. */
function isShownEdit(name: string, { edits }: JsonObject): boolean {
  const calls = Array.isArray(edits) ? (edits as readonly JsonValue[]) : [];
  return (
    name === 'edits' && calls.every((one) => isJsonObject(one) && 'before' in one && 'after' in one)
  );
}

/** Writes a value by the meaning of its field: a text that only looks like an instant stays as it is. */
function shownAs(name: string, value: unknown): string {
  if (!name.endsWith('_at') || typeof value !== 'string') return shown(value);
  return Number.isNaN(Date.parse(value)) ? value : atTime(value);
}

/** Writes a value in full, also a long one, because people have to check it. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
