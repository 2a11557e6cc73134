import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { valueAt } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';

/** How many arguments represent a call whose summary nobody has chosen. */
const FIRST = 3;

export interface CallSummary {
  readonly tool: string;
  /** Arguments with their paths, in the asker's order. */
  readonly arguments: readonly (readonly [path: string, value: JsonValue])[];
  readonly others: number;
}

/**
 * Returns the first call of an approval with the arguments that its asker chose for lists, or with its first three.
 * Omits missing arguments. Undefined if there is no call.
 */
export function summaryOf({
  proposal,
  summaries = {},
}: Pick<ApprovalPart, 'proposal' | 'summaries'>): CallSummary | undefined {
  const [call, ...others] = proposal.calls;
  if (call === undefined) return undefined;
  const { id, tool, arguments: args } = call;
  const chosen = Object.hasOwn(summaries, id) ? summaries[id] : undefined;
  const found = (chosen ?? []).flatMap((path) => {
    const value = valueAt(args, path.split('.'));
    return value === undefined ? [] : [[path, value] as const];
  });
  const shown = found.length > 0 ? found : Object.entries(args).slice(0, FIRST);
  return { tool, arguments: shown, others: others.length };
}

/** Checks the summary paths of a tool in a workflow. Refuses `invalid_request`. Pure. */
export function checkSummary(summary: unknown, field: string): Ruling<true> {
  const isFine =
    Array.isArray(summary) &&
    summary.length > 0 &&
    summary.length <= LIMITS.summaryPaths &&
    summary.every(isPath);
  if (isFine) return ok(true);
  const accepted = `1 to ${LIMITS.summaryPaths} paths of arguments, such as to.country`;
  return refuse('invalid_request', `${field} is not accepted.`, { field, accepted });
}

function isPath(path: unknown): boolean {
  if (typeof path !== 'string' || path.length > LIMITS.nameCharacters) return false;
  return path.split('.').every((key) => key !== '');
}
