import { isBlank } from '../../contracts/constants/visible-text.js';
import type { Directory } from '../../contracts/directory.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { recipientsNamed } from '../directory/directory.js';
import { unheard, unknownIn } from '../directory/known-people.js';
import type { KnownPeople } from '../directory/known-people.js';
import { isObject } from '../kernel/message-form.js';
import { quoted } from '../kernel/text.js';
import { findingsOf } from '../suspension/findings.js';
import { labelFault } from '../suspension/labels.js';
import { asksNothing, fieldFault } from '../suspension/readable.js';
import { isEligible } from './submitted-rule.js';

/**
 * Finds out about a question of the OpenIntent API what other doors refuse: it is asked all the same, and people see what is wrong.
 * It has no schema, and its size is bounded, so that this may be done in a workflow.
 *
 * @param told - what the API has found: whom it names that nobody knows
 */
export function submittedFindings(
  record: SuspensionRecord,
  told: readonly string[] = [],
): QuestionFindings {
  const misread = labelFault(record);
  const field = fieldFault(record);
  const faults = [
    ...(isBlank(record.question) ? ['The question is blank: nobody sees its characters.'] : []),
    ...(misread ? [misread.detail] : []),
    ...(field ? [field.detail] : []),
    ...(asksNothing(record) ? ['The form does not say what is asked.'] : []),
  ];
  return findingsOf(record, [...faults, ...told]);
}

/**
 * Says whom a record names that an agent writes and nobody here knows: who is to answer, and who is to be told. It was not checked
 * before, and what has another form is passed over.
 *
 * @param space - that of the intent
 */
export function unknownInRecord(
  record: JsonValue | undefined,
  { people, directory, space }: Installation,
): readonly string[] {
  if (!isRecord(record)) return [];
  const { decision_rule, retry_policy } = record;
  const ladder = isRecord(retry_policy) ? retry_policy['escalation_ladder'] : undefined;
  const rungs = (Array.isArray(ladder) ? (ladder as readonly JsonValue[]) : []).filter(isRecord);
  const asked = isRecord(decision_rule) ? [decision_rule, ...rungs] : rungs;
  const eligible = asked.flatMap((one) => (isEligible(one['eligible']) ? [one['eligible']] : []));
  const untold = rungs.flatMap(({ notify_to: name }) =>
    typeof name === 'string' && isStranger(name, directory, space) ? [name] : [],
  );
  return [
    ...(people ? eligible.flatMap((one) => unknownIn(one, people)) : []),
    ...[...new Set(untold)].slice(0, MOST_TOLD).map(tellsNobody),
    ...(directory === undefined && people ? unheard(rungs, people) : []),
  ];
}

/** What is known of an installation. */
interface Installation {
  readonly people: KnownPeople | undefined;
  readonly directory: Directory | undefined;
  readonly space: string;
}

const MOST_TOLD = 10;

function isRecord(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

function isStranger(name: string, directory: Directory | undefined, space: string): boolean {
  const isTold = name !== '' && directory !== undefined;
  return isTold && recipientsNamed(directory, name, space).length === 0;
}

function tellsNobody(name: string): string {
  return `The directory does not know ${quoted(name)}, whom the ladder is to notify.`;
}
