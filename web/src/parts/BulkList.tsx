import { Link } from 'wouter';
import type { BulkResult, Entry, Refused } from '../api/types.js';
import { holderOf } from '../state/answering.js';
import { atTime } from '../state/clock.js';
import type { Compared } from '../state/bulk-differences.js';
import { forWhom, headingOf, kindOf } from '../state/facts.js';
import { BulkDetails } from './BulkDetails.js';
import { DiffersIn } from './Differs.js';
import { Proposal } from './Proposal.js';
import { TimeLeft } from './TimeLeft.js';
import { Badge } from './ui.js';
import { Written } from './Written.js';
import css from './BulkList.module.css';

/** The questions that are answered together, each with what would run, and later with what became of it. */
export function BulkList({
  entries,
  compared,
  results,
  misfits = [],
}: {
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly results: ReadonlyMap<string, BulkResult> | undefined;
  /** Those that cannot get the same answer as the others. */
  readonly misfits?: readonly Entry[];
}) {
  return (
    <ul className={css.list}>
      {entries.map((entry) => {
        const result = results?.get(entry.id);
        const whom = forWhom(entry);
        return (
          <li key={entry.id} className={css.item}>
            <div className={css.words}>
              <Link href={`/q/${entry.id}`} dir="auto">
                {headingOf(entry.record.question)}
              </Link>
              <span className={css.meta}>
                <Written text={entry.asked_by} />
                {whom !== undefined && (
                  <>
                    {' '}
                    for <Written text={whom} />
                  </>
                )}
                , version {entry.question_version}
              </span>
              <DiffersIn id={entry.id} compared={compared} />
              <BulkDetails entry={entry} compared={compared} />
              {misfits.includes(entry) && <Badge tone="warn">{kindOf(entry)}: does not fit</Badge>}
              {result?.problem && (
                <span className={css.problem}>
                  <Written text={reasonOf(result.problem)} /> <code>{result.problem.code}</code>
                </span>
              )}
              {!result && entry.record.approval && (
                <Proposal approval={entry.record.approval} edits={undefined} onEdit={noEdit} />
              )}
            </div>
            {result ? (
              <Outcome result={result} />
            ) : (
              <TimeLeft expiresAt={entry.record.expires_at} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Arguments are edited of one question at a time. */
function noEdit(): void {
  // Nothing to type in is shown.
}

/** Why one was refused; of a claim it says whose it is. */
function reasonOf(problem: Refused): string {
  const held = holderOf(problem);
  return held ? `${held.holder} has it until ${atTime(held.expires_at)}` : problem.detail;
}

const OUTCOMES = {
  settled: ['good', 'Answered'],
  counted: ['info', 'Counted'],
  handed_over: ['warn', 'Not confirmed yet'],
  refused: ['danger', 'Refused'],
} as const;

function Outcome({ result }: { readonly result: BulkResult }) {
  const [tone, word] = OUTCOMES[result.outcome];
  const { approvals, required } = result.result ?? {};
  const votes =
    result.outcome === 'counted' && required ? `: ${approvals ?? 1} of ${required}` : '';
  return (
    <Badge tone={tone}>
      {word}
      {votes}
    </Badge>
  );
}
