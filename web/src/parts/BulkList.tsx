import { Link } from 'wouter';
import type { BulkResult, Entry } from '../api/types.js';
import { headingOf } from '../state/facts.js';
import { visible } from '../state/visible.js';
import { TimeLeft } from './TimeLeft.js';
import { Badge } from './ui.js';
import css from './BulkList.module.css';

/** The questions that are answered together, each with what became of it. */
export function BulkList({
  entries,
  results,
}: {
  readonly entries: readonly Entry[];
  readonly results: readonly BulkResult[] | undefined;
}) {
  const byId = new Map(results?.map((result) => [result.suspension_id, result]));
  return (
    <ul className={css.list}>
      {entries.map((entry) => {
        const result = byId.get(entry.id);
        return (
          <li key={entry.id} className={css.item}>
            <div className={css.words}>
              <Link href={`/q/${entry.id}`}>{headingOf(entry.record.question)}</Link>
              <span className={css.meta}>
                {visible(entry.asked_by)}, version {entry.question_version}
              </span>
              {result?.problem && (
                <span className={css.problem}>
                  {visible(result.problem.detail)} <code>{result.problem.code}</code>
                </span>
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
