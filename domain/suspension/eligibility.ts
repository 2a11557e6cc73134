import { LIMITS } from '../../contracts/constants/limits.js';
import type { Caller } from '../../contracts/caller.js';
import type { Eligible } from '../../contracts/decision.js';
import type { EligibilityChange } from '../../contracts/journal.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { asMarkdown } from '../kernel/text.js';
import { authorize } from '../policy/authorize.js';
import { checkReachable } from './decision.js';
import { checkIsQuestion } from './pause.js';
import { checkOpen } from './state.js';
import type { SuspensionState } from './state.js';

/** A change of who is eligible. */
export interface EligibilityRequest {
  readonly by: Caller;
  readonly eligible: Eligible;
  /** Whether duties are separate, as the API has it configured. */
  readonly separation_of_duties?: boolean;
}

/**
 * Judges a change of who is eligible, after everything due was settled. It holds from the current attempt on, until
 * the escalation ladder names others. Votes that count still count, and nothing else of the rule changes. Refuses
 * `forbidden`, `suspension_settled`, `reason_mismatch` and `invalid_decision_rule`.
 *
 * @param changes - how often it was changed before; each change stays in the timeline
 * @param askers - who asked, and for whom
 */
export function judgeEligibility(
  state: SuspensionState,
  { by, eligible, separation_of_duties }: EligibilityRequest,
  changes: number,
  askers: readonly string[] = [],
): Ruling<EligibilityChange> {
  const allowed = authorize(by, 'changeEligibility', {});
  if (!allowed.ok) return allowed;
  const open = checkOpen(state);
  if (!open.ok) return open;
  const question = checkIsQuestion(state.record);
  if (!question.ok) return question;
  if (changes >= LIMITS.eligibilityChanges) {
    return refuse('invalid_decision_rule', 'It has been changed too often.', {
      field: 'eligible',
      accepted: `at most ${LIMITS.eligibilityChanges} changes for one question`,
    });
  }
  if (jsonBytes(eligible) > LIMITS.eligibilityBytes) {
    return refuse('invalid_decision_rule', 'The names are too many.', {
      field: 'eligible',
      accepted: `at most ${LIMITS.eligibilityBytes} bytes of JSON`,
    });
  }
  const voted = state.votes?.map(({ vote }) => vote.principal);
  const separate = separation_of_duties === true ? askers : [];
  const reachable = checkReachable(state.record, eligible, voted, separate);
  return reachable.ok ? ok({ eligible, attempt: Math.max(1, state.attempt) }) : reachable;
}

/** The question with others who are eligible. Those to whom it was delegated are no longer, and hold no claim. */
export function withEligibility(
  { delegates = [], ...state }: SuspensionState,
  eligibility: EligibilityChange,
): SuspensionState {
  const { claim, ...rest } = state;
  const isDropped = claim !== undefined && delegates.includes(claim.holder);
  return { ...(isDropped ? rest : state), eligibility };
}

/** Who is named, as a timeline tells it. */
export function namedIn({
  eligible: { principals, roles, groups },
}: EligibilityChange): JsonObject {
  return {
    ...(principals && { principals }),
    ...(roles && { roles }),
    ...(groups && { groups }),
  };
}

/** Who is eligible, on one line of Markdown. */
export function namesOf({ principals = [], roles = [], groups = [] }: Eligible): string {
  const named = [
    ...principals,
    ...groups.map((group) => `group ${group}`),
    ...roles.map((role) => `role ${role}`),
  ];
  return named.length === 0 ? 'operators and admins' : asMarkdown(named.join(', '));
}
