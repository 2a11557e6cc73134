import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Eligible } from '../../../contracts/suspension/decision.js';
import type { EligibilityChange } from '../../../contracts/log/journal.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonBytes } from '../../kernel/json.js';
import { checkInOrder, ok, refuse } from '../../kernel/ruling.js';
import { asMarkdown } from '../../kernel/text.js';
import { authorize } from '../../policy/authorize.js';
import { checkReachable, isForEveryone } from '../answering/decision.js';
import { withNewDelegates } from './delegates.js';
import { checkIsOpenQuestion } from './verb.js';
import type { SuspensionState } from '../record/state.js';
import { defined } from '../../../contracts/constants/defined.js';

export interface EligibilityRequest {
  readonly by: Caller;
  readonly eligible: Eligible;
  readonly separation_of_duties?: boolean;
}

/**
 * Judges a change of who is eligible, after everything due was settled. It applies from the current attempt until the
 * escalation ladder names others; valid votes stay. Refuses `forbidden`, `suspension_settled`, `reason_mismatch` and
 * `invalid_decision_rule`.
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
  const may = checkInOrder(
    () => authorize(by, 'changeEligibility', {}),
    () => checkIsOpenQuestion(state),
  );
  if (!may.ok) return may;
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

/** Returns the question after a change of who is eligible. Delegates are no longer eligible, and hold no claim. */
export function withEligibility(
  before: SuspensionState,
  eligibility: EligibilityChange,
): SuspensionState {
  return { ...withNewDelegates(before, {}), eligibility };
}

export function namedIn({ principals, roles, groups }: Eligible): JsonObject {
  return defined({ principals, roles, groups });
}

/** Whether a rule names somebody whom the former one did not name, or applies to everybody where the former did not. */
export function namesMore(eligible: Eligible, former: Eligible): boolean {
  if (isForEveryone(former)) return !isForEveryone(eligible);
  const before = namesIn(former);
  return isForEveryone(eligible) || namesIn(eligible).some((name) => !before.includes(name));
}

export function namesOf(eligible: Eligible): string {
  return isForEveryone(eligible) ? EVERYONE : asMarkdown(namesIn(eligible).join(', '));
}

/** How many of the people who may decide a message names. */
const MOST_NAMED = 10;

export function shortNamesOf(eligible: Eligible): string {
  if (isForEveryone(eligible)) return EVERYONE;
  const names = namesIn(eligible);
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

const EVERYONE = 'operators and admins';

function namesIn({ principals = [], roles = [], groups = [] }: Eligible): readonly string[] {
  return [
    ...principals,
    ...groups.map((group) => `group ${group}`),
    ...roles.map((role) => `role ${role}`),
  ];
}
