import { LIMITS } from '../../contracts/constants/limits.js';
import type { DecisionRule } from '../../contracts/suspension/decision.js';
import type { Checkpoint } from '../../contracts/plan/plan.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { resolveRule } from '../suspension/answering/decision.js';

/** The answer that lets a plan go on. */
export const APPROVE = 'approve';
/** The answer that ends it. */
export const REJECT = 'reject';
/** The possible answers at a plan checkpoint. */
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

/** Refuses `invalid_decision_rule` for a checkpoint whose rule is none, or too large for the question that it asks. */
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
