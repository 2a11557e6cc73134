import type { ReactNode } from 'react';
import { RefusedError, UnreachableError } from '../api/http.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { Refused } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { wordsOf } from '../state/facts.js';
import { Button, Notice } from './ui.js';
import { Written } from './Written.js';
import css from './Problem.module.css';

const FOR_GOOD = [403, 404, 410];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A refusal word for word: its code, what is at fault, and what would be accepted. */
export function RefusalText({ problem }: { readonly problem: Refused }) {
  const { detail, code, field, accepted, valid_choices, state = {}, errors, request_id } = problem;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['At fault', field],
    ['Accepted', accepted],
    ['Choices', valid_choices?.join(', ')],
    ...Object.entries(state).map(([name, value]) => [labelOf(name), shown(value)] as const),
  ];
  return (
    <>
      <Written text={detail} as="p" />
      <dl className={css.facts}>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Written text={value} />
                </dd>
              </div>
            ),
        )}
        {errors?.map((issue) => (
          <div key={issue.field}>
            <dt>
              <Written text={issue.field} />
            </dt>
            <dd>
              <Written text={[issue.detail, issue.accepted].filter(Boolean).join(' Accepted: ')} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Code</dt>
          <dd>
            <code>{code}</code>
            {request_id !== undefined && <span className={css.id}> · request {request_id}</span>}
          </dd>
        </div>
      </dl>
    </>
  );
}

/** What the facts of a state are called where their names in the API are too short. */
const LABELS: Readonly<Record<string, string>> = {
  outcome: 'What became of it',
  by: 'By whom',
  at: 'When',
  value: 'Answer',
  via: 'By way of',
};

function labelOf(name: string): string {
  const words = wordsOf(name);
  return LABELS[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A fact of the present state in a line; what has an inside is not repeated here. */
function shown(value: JsonValue): string | undefined {
  if (typeof value === 'object') return undefined;
  const isInstant = typeof value === 'string' && INSTANT.test(value);
  return isInstant ? atTime(value) : String(value);
}

/** What is known of a request without a reply: of one that changes something, not even whether it did. */
function awayText({ changes }: UnreachableError): string {
  return changes
    ? 'It is not known whether it arrived: look at the question before you send it again. What you have typed is kept.'
    : 'What you have typed is kept. Nothing is sent by itself.';
}

function isSignedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.problem.code === 'unauthenticated';
}

/** Whether to try again can help: not where it is refused for good. */
function canHelp(error: unknown): boolean {
  return !(error instanceof RefusedError && FOR_GOOD.includes(error.problem.status));
}

/** What a notice replies to, if somebody has pressed for it. */
function replyOf(isReply: boolean, error: unknown): unknown {
  return isReply ? error : undefined;
}

function faultText(error: unknown): string {
  return String(error instanceof Error ? error.message : error);
}

/** Says why something did not work, and offers to try again where that can help. An ended session is asked for by its dialog. */
export function Problem({
  error,
  title,
  retry,
  actions,
  isProof = false,
  isReply = false,
}: {
  /** Whether it replies to what somebody has just pressed, and has to be seen wherever that was. */
  readonly isReply?: boolean;
  /** Whether it refused a proof of who somebody is. */
  readonly isProof?: boolean;
  readonly error: unknown;
  readonly title?: string | undefined;
  readonly retry?: () => void;
  readonly actions?: ReactNode;
}) {
  if (!isProof && isSignedOut(error)) return null;
  const replyTo = replyOf(isReply, error);
  const again = retry && canHelp(error) && <Button onPress={retry}>Try again</Button>;
  const offered = actions ?? again;
  if (error instanceof RefusedError) {
    return (
      <Notice
        tone="danger"
        isAlert
        replyTo={replyTo}
        title={title ?? error.problem.title}
        actions={offered}
      >
        <RefusalText problem={error.problem} />
      </Notice>
    );
  }
  const isAway = error instanceof UnreachableError;
  return (
    <Notice
      tone={isAway ? 'warn' : 'danger'}
      isAlert
      replyTo={replyTo}
      title={isAway ? 'Holdpoint cannot be reached' : (title ?? 'The page made a mistake')}
      actions={offered}
    >
      {isAway ? <p>{awayText(error)}</p> : <Written text={faultText(error)} as="p" />}
    </Notice>
  );
}
