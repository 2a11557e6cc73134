import type { Caller } from '../../contracts/people/caller.js';
import type { Checkpoint, CheckpointRequest, PatchPlanRequest } from '../../contracts/plan/plan.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes, jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import type { AccessLevel } from '../policy/access-list.js';
import { authorize } from '../policy/authorize.js';
import type { PlanRecord } from './state.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { DecisionRule } from '../../contracts/suspension/decision.js';
import { resolveRule } from '../suspension/answering/decision.js';
import { checkNamed, unknownNames, type KnownPeople } from '../directory/known-people.js';
import { checkReach, reachWarnings } from '../directory/reach.js';
import { tellingWarnings, type TellingHere } from '../directory/audience.js';

interface PlanWrite {
  readonly state?: PatchPlanRequest['state'];
  readonly checkpoints?: readonly Checkpoint[];
}

/**
 * Judges who may write a plan. Agents may never remove or weaken checkpoints; resuming a plan that asks withdraws the
 * question, which only its creator or people may do. Refuses `forbidden`.
 *
 * @param access - what the access list of its intent allows the writer to do
 */
export function checkPlanWriter(
  plan: PlanRecord,
  by: Caller,
  { state, checkpoints }: PlanWrite,
  access: AccessLevel,
): Ruling<true> {
  const loosens = checkpoints !== undefined && loosensCheckpoints(plan, checkpoints);
  const asks = plan.escalations.some(({ status }) => status === 'open');
  const cases = [
    ...(loosens ? (['loosensCheckpoints'] as const) : []),
    ...(asks && state === 'active' ? (['withdrawsQuestions'] as const) : []),
  ];
  const judged = cases.length > 0 ? cases : [undefined];
  const maker = plan.created_by;
  const rulings = judged.map((when) => authorize(by, 'patchPlan', { when, maker, access }));
  return rulings.find((ruling) => !ruling.ok) ?? ok(true);
}

/** Whether the new checkpoints omit a pending one, or require less of it. Names and ids may change. */
function loosensCheckpoints(
  { checkpoints }: Pick<PlanRecord, 'checkpoints'>,
  next: readonly Checkpoint[],
): boolean {
  const left = [...next];
  return checkpoints.some((checkpoint) => {
    if (checkpoint.status !== 'pending') return false;
    const index = left.findIndex((one) => isAsStrict(one, checkpoint));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Other approvers or another time limit may be less strict, so agents may not change them. */
function isAsStrict(next: Checkpoint, before: Checkpoint): boolean {
  if (next.after_task !== before.after_task) return false;
  if (!before.requires_approval) return true;
  return next.requires_approval && jsonEqual(demandsOf(next), demandsOf(before));
}

function demandsOf({ approvers, decision_rule = {}, timeout_hours, on_timeout }: Checkpoint) {
  return { approvers: [...approvers].sort(), decision_rule, timeout_hours, on_timeout };
}

export const APPROVE = 'approve';
export const REJECT = 'reject';
export const APPROVAL_CHOICES = [
  { value: APPROVE, label: 'Approve', style: 'primary' as const },
  { value: REJECT, label: 'Reject', style: 'danger' as const },
];

/** Returns the rule of a checkpoint; undefined for the default. Refuses `invalid_decision_rule`. */
export function checkpointRule({
  approvers,
  decision_rule,
}: Pick<Checkpoint, 'approvers' | 'decision_rule'>): Ruling<DecisionRule | undefined> {
  if (approvers.length === 0 && decision_rule === undefined) return ok(undefined);
  const named = approvers.length > 0 && { eligible: { principals: [...approvers] } };
  const request = { denials: [REJECT], ...named, ...decision_rule };
  return resolveRule(request, { response_type: 'choice', choices: APPROVAL_CHOICES });
}

/** Refuses `invalid_decision_rule` for a checkpoint whose rule is invalid, or too large for its question. */
export function checkCheckpoint(
  checkpoint: Pick<Checkpoint, 'approvers' | 'decision_rule'>,
): Ruling<true> {
  const rule = checkpointRule(checkpoint);
  if (!rule.ok) return rule;
  if (jsonBytes([checkpoint.approvers, rule.value]) <= LIMITS.contextBytes) return ok(true);
  return refuse('invalid_decision_rule', 'Too much is said about who decides.', {
    field: 'decision_rule',
    accepted: `approvers and rule of at most ${LIMITS.contextBytes} bytes of JSON`,
  });
}

export type JudgedCheckpoint = CheckpointRequest & Pick<Checkpoint, 'warnings'>;

export interface CheckpointJudging {
  /** The people who can answer; undefined if names are not checked. */
  readonly people: KnownPeople | undefined;
  readonly telling: TellingHere;
  /** The asker, with separation of duties. */
  readonly askers: readonly string[];
  /** Whether nothing is refused: the OpenIntent API accepts every plan, and people see the faults. */
  readonly isLenient: boolean;
}

/** A plan contains hundreds of checkpoints with their warnings. */
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

/** Returns the refusal with its path in the request, where approvers are the principals of a rule without names. */
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
