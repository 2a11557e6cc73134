import { isBlank } from '../../contracts/constants/visible-text.js';
import type { Directory } from '../../contracts/people/directory.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import type { QuestionFindings } from '../../contracts/suspension/findings.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { recipientsNamed } from '../directory/directory.js';
import { unheard, unknownIn } from '../directory/known-people.js';
import type { KnownPeople } from '../directory/known-people.js';
import { quoted } from '../kernel/text.js';
import { findingsOf } from '../suspension/asking/findings.js';
import { labelFault } from '../suspension/form/labels.js';
import { asksNothing, fieldFault } from '../suspension/asking/readable.js';
import { isEligible } from './submitted-rule.js';
import { isJsonObject } from '../kernel/json.js';

/**
 * Finds faults for which other APIs refuse a question; here people see them.
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
