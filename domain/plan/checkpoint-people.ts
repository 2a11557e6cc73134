import type { Checkpoint, CheckpointRequest } from '../../contracts/plan/plan.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { checkNamed, unknownNames } from '../directory/known-people.js';
import type { KnownPeople } from '../directory/known-people.js';
import { checkReach, reachWarnings } from '../directory/reach.js';
import { tellingWarnings } from '../directory/telling.js';
import type { TellingHere } from '../directory/telling.js';
import { ok } from '../kernel/ruling.js';
import { checkpointRule } from './checkpoint-rule.js';

/** A checkpoint of a request, with what its asker is warned of. */
export type JudgedCheckpoint = CheckpointRequest & Pick<Checkpoint, 'warnings'>;

/** The data with which plan checkpoints are judged. */
export interface CheckpointJudging {
  /** The people who can answer; undefined if no names are checked. */
  readonly people: KnownPeople | undefined;
  /** Whom questions reach. */
  readonly telling: TellingHere;
  /** The asker, if duties are separate. */
  readonly askers: readonly string[];
  /** Whether nothing is refused: the OpenIntent API takes every plan, and people see what is wrong. */
  readonly isLenient: boolean;
}

/** A plan carries hundreds of checkpoints with their warnings. */
const MOST_WARNINGS = 2;

/**
 * Judges the approvers of a plan's checkpoints. Refuses `unknown_principal` and `invalid_decision_rule`, and returns
 * warnings. Invalid rules are judged elsewhere.
 */
export function judgedCheckpoints(
  checkpoints: readonly CheckpointRequest[],
  judging: CheckpointJudging,
): Ruling<readonly JudgedCheckpoint[]> {
  const judged: JudgedCheckpoint[] = [];
  for (const [index, checkpoint] of checkpoints.entries()) {
    const found = warningsFor(checkpoint, judging);
    if (!found.ok) return inCheckpoint(found, index, checkpoint);
    const warnings = found.value.slice(0, MOST_WARNINGS);
    judged.push({ ...checkpoint, ...(warnings.length > 0 && { warnings }) });
  }
  return ok(judged);
}

function warningsFor(
  checkpoint: CheckpointRequest,
  { people, telling, askers, isLenient }: CheckpointJudging,
): Ruling<readonly string[]> {
  const rule = checkpointRule(checkpoint);
  if (!checkpoint.requires_approval || !rule.ok || rule.value === undefined) return ok([]);
  const asked = { decision_rule: rule.value };
  const told = tellingWarnings(asked, askers, telling);
  if (isLenient) {
    const unknown = people ? unknownNames(asked, people) : [];
    return ok([...unknown, ...reachWarnings(asked, askers, people), ...told]);
  }
  const named = people ? checkNamed(asked, people) : ok([]);
  if (!named.ok) return named;
  const reach = checkReach(asked, askers, people);
  return reach.ok ? ok([...named.value, ...reach.value, ...told]) : reach;
}

/** Returns the refusal with its path in the request; approvers are the principals of a rule without names. */
function inCheckpoint(
  { refusal }: Ruling<never> & { readonly ok: false },
  index: number,
  { decision_rule }: CheckpointRequest,
): Ruling<never> {
  const { field = 'decision_rule' } = refusal;
  const isListed = decision_rule?.eligible === undefined;
  const own = isListed
    ? field.replace(/^decision_rule\.eligible(\.principals)?/, 'approvers')
    : field;
  return { ok: false, refusal: { ...refusal, field: `checkpoints[${index}].${own}` } };
}
