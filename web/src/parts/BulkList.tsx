import { Link } from 'wouter';
import type { BulkResult, Entry, Refused } from '../api/types.js';
import { holderIn } from '../state/claims.js';
import { atTime } from '../state/clock.js';
import type { Compared } from '../state/bulk-differences.js';
import { beginningOf, forWhom, kindOf } from '../state/facts.js';
import { BulkDetails } from './BulkDetails.js';
import { DiffersIn } from './Differs.js';
import { Proposal } from './Proposal.js';
import { TimeLeft } from './TimeLeft.js';
import { Badge } from './ui.js';
import { Written } from './Written.js';
import css from './BulkList.module.css';

interface BulkListProps {
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly results: ReadonlyMap<string, BulkResult> | undefined;
  /** The questions that cannot get the same answer as the others. */
  readonly misfits?: readonly Entry[];
}

/** The questions that are answered together, each with the calls that would run, and later with its result. */
export function BulkList({ entries, compared, results, misfits = [] }: BulkListProps) {
  return (
    <ul className={css.list}>
      {entries.map((entry) => {
        const result = results?.get(entry.id);
        const whom = forWhom(entry);
        return (
          <li key={entry.id} className={css.item}>
            <div className={css.words}>
              <Link href={`/q/${entry.id}`} dir="auto">
                {beginningOf(entry.record.question)}
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
              {!result && entry.record.approval && <Proposal approval={entry.record.approval} />}
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

/** Says why an answer was refused, and who has the question if that is the reason. */
function reasonOf(problem: Refused): string {
  const held = holderIn(problem);
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
