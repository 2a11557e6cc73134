import type { Refusal } from '../../contracts/kernel/problem.js';
import type { BulkAnswers } from '../../contracts/suspension/view.js';
import { boundedRefusal } from '../../domain/kernel/bounded.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { cutTo } from '../../domain/kernel/text.js';
import type { BulkOutcome } from '../usecases/suspension/respond-to-many.js';
import { isEntityId } from '../parts/refusals.js';
import { problemOf } from '../http/problem.js';

type Result = BulkAnswers['results'][number];

/** The most bytes of all problems of one reply, without the choices, which appear once. */
const PROBLEMS_BYTES = 60 * 1_024;
/** The divisors by which the texts of each problem may be cut, compared with a problem alone. */
const PARTS = [1, 4, 16, 64, 128] as const;
/** The most bytes of an echoed id that no question can have. */
const ID_BYTES = 60;

/**
 * Returns the outcomes of many answers. One answer is wrong for all questions alike, so only the first problem has the
 * choices, and the others refer to it. If the problems are too long together, all texts are cut alike.
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
