import type { Row } from './rule.js';
import { DECISION_RULES } from './rules/decisions.js';
import { CONTAINER_RULES, INTENT_RULES } from './rules/intents.js';
import { SERVER_RULES, SESSION_RULES } from './rules/service.js';

export type { Grant, Relation, Rule } from './rule.js';

/**
 * Who may do what: one row for each use case, by its name. `docs/authorization.md` is made from it, and so are the
 * tests that try every one with every kind of key.
 */
export const RULES = {
  ...INTENT_RULES,
  ...DECISION_RULES,
  ...CONTAINER_RULES,
  ...SESSION_RULES,
  ...SERVER_RULES,
} as const;

/** An action that may be allowed: an operation by its name, `seeQuestionIds` or `useInbox`. */
export type Action = keyof typeof RULES;

/** The cases of an action that have a rule of their own. */
export type CaseOf<A extends Action> = (typeof RULES)[A] extends {
  readonly cases: infer Cases;
}
  ? keyof Cases & string
  : never;

/** Whether an action needs no key. */
export function isPublic(action: Action): boolean {
  return rowOf(action).isPublic === true;
}

/** The row of an action, without its literal types. */
export function rowOf(action: Action): Row {
  return RULES[action];
}
