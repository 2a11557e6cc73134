import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { isObject } from '../../kernel/message-form.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { FallbackPolicy } from '../../../contracts/suspension/retry-policy.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import type {
  SettledRecord,
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { judgeBySchema } from '../../schema/judge.js';

/** The comment and the data that come with the value of an answer (JC-38). */
export interface Notes {
  readonly comment?: string;
  readonly data?: JsonObject;
}

type MaybeNoted = { readonly [K in keyof Notes]?: Notes[K] | undefined };

interface Noted extends MaybeNoted {
  readonly metadata?: JsonObject | undefined;
}

/** The notes of an answer, a vote or a record, without absent ones. */
export function notesIn({ comment, data }: MaybeNoted): Notes {
  return defined({ comment, data });
}

/** Moves comment and data out of the metadata, where the OpenIntent API has them. */
export function withNotesInPlace<T extends Noted>(answer: T): T {
  const { metadata, ...rest } = answer;
  if (metadata === undefined) return answer;
  const { comment, data } = metadata;
  const moved = {
    ...(typeof comment === 'string' && answer.comment === undefined && { comment }),
    ...(isObject(data) && answer.data === undefined && { data }),
  };
  const names = Object.keys(moved);
  if (names.length === 0) return answer;
  const left = Object.entries(metadata).filter(([name]) => !names.includes(name));
  const kept = left.length > 0 && { metadata: Object.fromEntries(left) };
  return { ...rest, ...kept, ...moved } as unknown as T;
}

/** The metadata in the form of the OpenIntent API, which contains the notes; undefined if there are none. */
export function metadataWithNotes({ metadata, ...noted }: Noted): JsonObject | undefined {
  const all = { ...metadata, ...notesIn(noted) };
  return Object.keys(all).length === 0 ? metadata : all;
}

/** The choices of a confirm question without choices of its own (R25-33). */
export const CONFIRM_CHOICES: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'response_schema'>;

interface Match {
  readonly choice?: SuspensionChoice;
}

function offered(record: Asked): readonly SuspensionChoice[] {
  return record.choices ?? (record.response_type === 'confirm' ? CONFIRM_CHOICES : []);
}

/** Returns the possible choices of an answer: always yes and no for a confirm question. */
export function validChoices(record: Asked): readonly SuspensionChoice[] {
  const listed = offered(record);
  if (record.response_type !== 'confirm') return listed;
  return CONFIRM_CHOICES.map(
    (usual) => listed.find((choice) => choice.value === usual.value) ?? usual,
  );
}

/** Returns the choice with exactly this value, or undefined (R25-74). */
export function matchedChoice(record: Asked, value: JsonValue): SuspensionChoice | undefined {
  return offered(record).find((choice) => choice.value === value);
}

function oneOf(validChoices: readonly string[], record: Asked, value: JsonValue): Ruling<Match> {
  if (typeof value === 'string' && validChoices.includes(value)) {
    const choice = matchedChoice(record, value);
    return ok(choice === undefined ? {} : { choice });
  }
  return refuse('invalid_value', 'The value is none of the valid choices.', {
    field: 'value',
    accepted: 'one of valid_choices',
    valid_choices: validChoices,
  });
}

/**
 * Checks an operator's value (R25-75 to R25-78): the exact value of a choice, `yes` or `no`, any text that is not
 * empty, or any value that fits the schema of a form. Returns the matching choice. Refuses `invalid_value`, with
 * `valid_choices` if there are any (R25-85).
 */
export function checkValue(record: Asked, value: JsonValue): Ruling<Match> {
  switch (record.response_type) {
    case 'choice':
      // Only agents of the OpenIntent API can omit the choices.
      if (offered(record).length === 0) return ok({});
      return oneOf(
        offered(record).map((choice) => choice.value),
        record,
        value,
      );
    case 'confirm':
      return oneOf(['yes', 'no'], record, value);
    case 'text':
      if (typeof value === 'string' && value !== '') return ok({});
      return refuse('invalid_value', 'The value is not a text.', {
        field: 'value',
        accepted: 'a non-empty string',
      });
    case 'form':
      return bySchema(record, value, 'value');
  }
}

/**
 * Checks the data of a decision, `{}` by default, by the schema of the question (JC-42); `checkValue` judges forms.
 * Refuses `invalid_value`.
 */
export function checkData(record: Asked, data: JsonObject = {}): Ruling<Match> {
  if (record.response_schema === undefined || record.response_type === 'form') return ok({});
  return bySchema(record, data, 'data');
}

function bySchema({ response_schema }: Asked, value: JsonValue, field: string): Ruling<Match> {
  if (response_schema === undefined) return ok({});
  const judged = judgeBySchema(response_schema, value, field);
  return judged.ok ? ok({}) : judged;
}

/** Returns label and description of the choice with this value, if there is one (R25-74). */
export function choiceIn(
  record: Asked,
  value: JsonValue,
): Pick<RespondResult, 'choice_label' | 'choice_description'> {
  const { label, description } = matchedChoice(record, value) ?? {};
  return defined({ choice_label: label, choice_description: description });
}

/** Returns the reply to an accepted answer (R25-73). */
export function respondResult(intentId: string | null, record: SettledRecord): RespondResult {
  const { metadata, response = null } = record;
  return {
    intent_id: intentId,
    suspension_id: record.id,
    resolution: 'responded',
    value: response,
    ...choiceIn(record, response),
    responded_by: record.responded_by ?? record.settled_by,
    responded_at: record.responded_at ?? record.settled_at,
    ...notesIn(record),
    ...defined({ metadata }),
  };
}

/** The effect of a missing answer: the next status of the intent, and the value that the agent gets. */
interface Fallback {
  readonly status: 'active' | 'abandoned';
  readonly fallback_policy: FallbackPolicy;
  readonly value?: JsonValue;
}

/**
 * Returns the effect of a missing answer, only from the record (R25-02). `fail` abandons the intent. The other
 * policies never complete it: it continues with `fallback_value` or null, which `findingsOf` judges when the question
 * is asked.
 */
export function fallbackOf({
  fallback_policy,
  fallback_value = null,
}: Pick<SuspensionRecord, 'fallback_policy' | 'fallback_value'>): Fallback {
  if (fallback_policy === 'fail') return { status: 'abandoned', fallback_policy };
  return { status: 'active', fallback_policy, value: fallback_value };
}
