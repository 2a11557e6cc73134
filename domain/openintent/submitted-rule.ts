import { LIMITS } from '../../contracts/constants/limits.js';
import { VOTER_ROLES } from '../../contracts/constants/statuses.js';
import type { DecisionRuleRequest, Eligible } from '../../contracts/suspension/decision.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { resolveRule } from '../suspension/answering/decision.js';

/** Whether a field is left out. Null and undefined mean the same in a record of the OpenIntent API. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isListOf(value: unknown, most: number, is: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.length <= most && value.every(is));
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.nameCharacters;
}

/** Whether a value that nobody has checked says who is eligible. */
export function isEligible(value: unknown): value is Eligible {
  if (!isObject(value)) return false;
  const { principals, roles, groups } = value;
  const lists = [principals, groups];
  return (
    lists.every((list) => isListOf(list, LIMITS.listedNames, isName)) &&
    isListOf(roles, VOTER_ROLES.length, (role) => isOneOf(role, VOTER_ROLES))
  );
}

/** The allowed contents of a rule, and their name in a refusal. */
const PARTS: Readonly<Record<string, readonly [is: (value: unknown) => boolean, what: string]>> = {
  eligible: [isEligible, `lists of principals, groups and roles (${VOTER_ROLES.join(', ')})`],
  excluded: [(value) => isListOf(value, LIMITS.listedNames, isName), 'a list of principals'],
  quorum: [isQuorum, `a whole number up to ${LIMITS.votes}`],
  denials: [(value) => isListOf(value, LIMITS.choices, isText), 'values of the choices'],
  veto: [(value) => typeof value === 'boolean', 'true or false'],
};

function isQuorum(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LIMITS.votes;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function refused(field: string, accepted: string): Ruling<never> {
  const detail = `${field} is not accepted: it must be ${accepted}.`;
  return refuse('invalid_patch', detail, { field, accepted });
}

const SLOT = '_suspension.';

/**
 * Reads who decides an agent's question, and for whom it asks; RFC-0025 has no such fields. Refuses `invalid_patch`.
 */
export function submittedRule(
  slot: JsonObject,
  record: Pick<SuspensionRecord, 'response_type' | 'choices' | 'retry_policy'>,
): Ruling<Pick<SuspensionRecord, 'decision_rule' | 'on_behalf_of'>> {
  const { decision_rule: written, on_behalf_of } = slot;
  const isNamed = typeof on_behalf_of === 'string' && isName(on_behalf_of);
  if (!isNamed && !isAbsent(on_behalf_of)) return refused(`${SLOT}on_behalf_of`, 'a name');
  const behalf = isNamed ? { on_behalf_of } : {};
  if (isAbsent(written)) return ok(behalf);
  const place = `${SLOT}decision_rule`;
  if (!isObject(written)) return refused(place, 'an object');
  const given = Object.entries(written).filter(([, value]) => !isAbsent(value));
  for (const [name, value] of given) {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part === undefined) return refused(place, `made of ${Object.keys(PARTS).join(', ')}`);
    const [is, accepted] = part;
    if (!is(value)) return refused(`${place}.${name}`, accepted);
  }
  const request = Object.fromEntries(given) as DecisionRuleRequest;
  const rule = resolveRule(request, record, record.retry_policy?.escalation_ladder);
  if (rule.ok) return ok({ ...behalf, decision_rule: rule.value });
  const { field, accepted = '' } = rule.refusal;
  return refused(`${SLOT}${field}`, accepted);
}
