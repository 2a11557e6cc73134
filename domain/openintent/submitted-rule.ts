import { LIMITS } from '../../contracts/constants/limits.js';
import { VOTER_ROLES } from '../../contracts/constants/statuses.js';
import type { DecisionRuleRequest, Eligible } from '../../contracts/suspension/decision.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { QuestionFindings, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { isObject, isOneOf } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { resolveRule } from '../suspension/answering/decision.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import type { Directory } from '../../contracts/people/directory.js';
import { recipientsNamed } from '../directory/directory.js';
import { unheard, unknownIn, type KnownPeople } from '../directory/known-people.js';
import { quoted } from '../kernel/text.js';
import { findingsOf } from '../suspension/asking/findings.js';
import { labelFault } from '../suspension/form/labels.js';
import { asksNothing, fieldFault } from '../suspension/asking/readable.js';
import { isJsonObject } from '../kernel/json.js';

/** Whether a field is absent. Null and undefined mean the same in a record of the OpenIntent API. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isListOf(value: unknown, most: number, is: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.length <= most && value.every(is));
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.nameCharacters;
}

export function isEligible(value: unknown): value is Eligible {
  if (!isObject(value)) return false;
  const { principals, roles, groups } = value;
  const lists = [principals, groups];
  return (
    lists.every((list) => isListOf(list, LIMITS.listedNames, isName)) &&
    isListOf(roles, VOTER_ROLES.length, (role) => isOneOf(role, VOTER_ROLES))
  );
}

/** The checks of a rule's fields, and their description in a refusal. */
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
 * Reads who decides an agent's question, and on whose behalf it asks; RFC-0025 has no such fields. Refuses
 * `invalid_patch`.
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

/**
 * Finds faults for which other APIs refuse a question; here they are shown to people.
 *
 * @param warnings - warnings of the API about unknown names
 */
export function submittedFindings(
  record: SuspensionRecord,
  warnings: readonly string[] = [],
): QuestionFindings {
  const misread = labelFault(record);
  const field = fieldFault(record);
  const faults = [
    ...(isBlank(record.question) ? ['The question is blank: nobody sees its characters.'] : []),
    ...(misread ? [misread.detail] : []),
    ...(field ? [field.detail] : []),
    ...(asksNothing(record) ? ['The form does not say what is asked.'] : []),
  ];
  return findingsOf(record, [...faults, ...warnings]);
}

/**
 * Warns of unknown deciders and recipients in a record that an agent writes.
 *
 * @param space - that of the intent
 */
export function unknownInRecord(
  record: JsonValue | undefined,
  { people, directory, space }: Installation,
): readonly string[] {
  if (!isJsonObject(record)) return [];
  const { decision_rule, retry_policy } = record;
  const ladder = isJsonObject(retry_policy) ? retry_policy['escalation_ladder'] : undefined;
  const rungs = (Array.isArray(ladder) ? (ladder as readonly JsonValue[]) : []).filter(
    isJsonObject,
  );
  const asked = isJsonObject(decision_rule) ? [decision_rule, ...rungs] : rungs;
  const eligible = asked.flatMap((one) => (isEligible(one['eligible']) ? [one['eligible']] : []));
  const strangers = rungs.flatMap(({ notify_to: name }) =>
    typeof name === 'string' && isStranger(name, directory, space) ? [name] : [],
  );
  return [
    ...(people ? eligible.flatMap((one) => unknownIn(one, people)) : []),
    ...[...new Set(strangers)].slice(0, MOST_SHOWN).map(reachesNobody),
    ...(directory === undefined && people ? unheard(rungs, people) : []),
  ];
}

interface Installation {
  readonly people: KnownPeople | undefined;
  readonly directory: Directory | undefined;
  readonly space: string;
}

const MOST_SHOWN = 10;

function isStranger(name: string, directory: Directory | undefined, space: string): boolean {
  if (name === '' || directory === undefined) return false;
  return recipientsNamed(directory, name, space).length === 0;
}

function reachesNobody(name: string): string {
  return `The directory does not know ${quoted(name)}, whom the ladder is to notify.`;
}
