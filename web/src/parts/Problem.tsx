import type { ReactNode } from 'react';
import { RefusedError, UnreachableError, refusalIn } from '../api/http.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Refused } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { wordsOf } from '../state/facts.js';
import { Button, Fact, Notice } from './ui.js';
import { Written } from './question/Written.js';
import css from './Problem.module.css';

const FOR_GOOD = [403, 404, 410];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A refusal in full: its code, the fields at fault, and what would be accepted. */
function RefusalText({ problem }: { readonly problem: Refused }) {
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
              <Fact key={name} name={name}>
                <Written text={value} />
              </Fact>
            ),
        )}
        {errors?.map((issue) => (
          <Fact key={issue.field} name={<Written text={issue.field} />}>
            <Written text={[issue.detail, issue.accepted].filter(Boolean).join(' Accepted: ')} />
          </Fact>
        ))}
        <Fact name="Code">
          <code>{code}</code>
          {request_id !== undefined && <span className={css.id}> · request {request_id}</span>}
        </Fact>
      </dl>
    </>
  );
}

/** Labels of facts whose names in the API are too short. */
const LABELS: Readonly<Record<string, string>> = {
  outcome: 'Result',
  by: 'By whom',
  at: 'When',
  value: 'Answer',
  via: 'Through',
};

function labelOf(name: string): string {
  const words = wordsOf(name);
  return LABELS[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Writes a fact of the current state in one line; objects and lists are left out. */
function shown(value: JsonValue): string | undefined {
  if (typeof value === 'object') return undefined;
  const isInstant = typeof value === 'string' && INSTANT.test(value);
  return isInstant ? atTime(value) : String(value);
}

/** Says what is known about a request without a reply. If it changes something, it may have had its effect. */
function awayText({ changes }: UnreachableError): string {
  return changes
    ? 'It is not known whether it arrived: look at the question before you send it again. What you have typed is kept.'
    : 'What you have typed is kept. Nothing is sent by itself.';
}

function titleOf(error: unknown, title: string | undefined): string {
  if (error instanceof UnreachableError) return 'Holdpoint cannot be reached';
  return title ?? refusalIn(error)?.title ?? 'Something went wrong on this page';
}

function Reason({ error }: { readonly error: unknown }) {
  if (error instanceof RefusedError) return <RefusalText problem={error.problem} />;
  if (error instanceof UnreachableError) return <p>{awayText(error)}</p>;
  return <Written text={String(error instanceof Error ? error.message : error)} as="p" />;
}

interface ProblemProps {
  readonly error: unknown;
  readonly title?: string | undefined;
  readonly retry?: (() => void) | undefined;
  readonly actions?: ReactNode;
  /** Whether a proof of identity was refused. The dialog of the session shows other refusals for lack of a session. */
  readonly isProof?: boolean;
  /** Whether it replies to a press, and has to come into view. */
  readonly isReply?: boolean;
}

export function Problem({
  error,
  title,
  retry,
  actions,
  isProof = false,
  isReply = false,
}: ProblemProps) {
  const problem = refusalIn(error);
  if (!isProof && problem?.code === 'unauthenticated') return null;
  const isForGood = problem !== undefined && FOR_GOOD.includes(problem.status);
  return (
    <Notice
      tone={error instanceof UnreachableError ? 'warn' : 'danger'}
      isAlert
      replyTo={isReply ? error : undefined}
      title={titleOf(error, title)}
      actions={actions ?? (retry && !isForGood && <Button onPress={retry}>Try again</Button>)}
    >
      <Reason error={error} />
    </Notice>
  );
}
