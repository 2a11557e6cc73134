import type { Refusal } from '../../contracts/problem.js';
import type { BulkAnswers } from '../../contracts/suspension-view.js';
import { boundedRefusal } from '../../domain/kernel/bounded.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { cutTo } from '../../domain/kernel/text.js';
import type { BulkOutcome } from '../gateway/suspension/bulk.js';
import { isEntityId } from '../gateway/refusals.js';
import { problemOf } from '../http/problem.js';

type Result = BulkAnswers['results'][number];

/** All problems of one reply together, but for the choices, which are said once. */
const PROBLEMS_BYTES = 60 * 1_024;
/** How small the texts of one problem may become, as parts of what a problem alone may have. */
const PARTS = [1, 4, 16, 64, 128] as const;
/** An id that no question can have is not echoed in full. */
const ID_BYTES = 60;

/**
 * What became of each of many answers. One answer is wrong for all of the questions alike, so the choices stand in the first problem
 * that has them, and the others name it. Where the problems are long together, their texts are cut alike.
 */
export function bulkResults(outcomes: readonly BulkOutcome[], requestId: string): BulkAnswers {
  const once = withChoicesOnce(outcomes);
  let results: readonly Result[] = [];
  for (const parts of PARTS) {
    results = once.map((outcome) => resultOf(outcome, requestId, parts));
    if (problemsBytes(results) <= PROBLEMS_BYTES) break;
  }
  return { results };
}

function withChoicesOnce(outcomes: readonly BulkOutcome[]): readonly BulkOutcome[] {
  const said = new Map<string, number>();
  return outcomes.map((one, index) => {
    if (one.outcome !== 'refused' || one.refusal.valid_choices === undefined) return one;
    const { valid_choices, ...refusal } = one.refusal;
    const all = JSON.stringify([...valid_choices].sort());
    const first = said.get(all);
    if (first === undefined) {
      said.set(all, index);
      return one;
    }
    const accepted = `one of the valid_choices of results[${first}].problem`;
    return { ...one, refusal: { ...refusal, accepted } };
  });
}

function resultOf(outcome: BulkOutcome, requestId: string, parts: number): Result {
  if (outcome.outcome !== 'refused') return outcome;
  const { refusal, suspension_id: id, ...rest } = outcome;
  return {
    suspension_id: isEntityId(id) ? id : cutTo(id, ID_BYTES),
    ...rest,
    problem: problemOf(boundedRefusal<Refusal>(refusal, parts), requestId),
  };
}

function problemsBytes(results: readonly Result[]): number {
  return results.reduce((sum, { problem, ...rest }) => {
    if (problem === undefined) return sum;
    const { valid_choices: _said, ...own } = problem;
    return sum + jsonBytes({ ...rest, problem: own });
  }, 0);
}
