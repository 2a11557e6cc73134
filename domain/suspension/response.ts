import type { JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { FallbackPolicy } from '../../contracts/retry-policy.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import type {
  SettledRecord,
  SuspensionChoice,
  SuspensionRecord,
} from '../../contracts/suspension.js';
import { ok, refuse } from '../kernel/ruling.js';

/** What a confirm question offers when the agent names no choices (R25-33). */
export const CONFIRM_CHOICES: readonly SuspensionChoice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

type Asked = Pick<SuspensionRecord, 'response_type' | 'choices'>;

/** A choice that matched, if the question has choices at all. */
interface Match {
  readonly choice?: SuspensionChoice;
}

function offered(record: Asked): readonly SuspensionChoice[] {
  return record.choices ?? (record.response_type === 'confirm' ? CONFIRM_CHOICES : []);
}

/** The choices whose values an answer may have: of a confirm question yes and no, whatever it lists. */
export function validChoices(record: Asked): readonly SuspensionChoice[] {
  const listed = offered(record);
  if (record.response_type !== 'confirm') return listed;
  return CONFIRM_CHOICES.map(
    (usual) => listed.find((choice) => choice.value === usual.value) ?? usual,
  );
}

/** The choice whose value this is, exactly; undefined where none matches (R25-74). */
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
 * Rules on an operator's value before it reaches the agent (RFC-0025 §8; R25-75 … 78): a choice's
 * exact value, `yes` or `no`, any non-empty string for text (AM-11), anything for form. Grants the
 * choice that matched; refuses `invalid_value`, with `valid_choices` for choice and confirm (AM-14).
 */
export function checkValue(record: Asked, value: JsonValue): Ruling<Match> {
  switch (record.response_type) {
    case 'choice':
      // Only an agent that writes its record itself can leave them out.
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
      return ok({});
  }
}

/**
 * The body that an accepted answer is told (R25-73); label and description of the choice only where
 * the value matches one (R25-74). `choice` spares the search where it is known.
 */
export function respondResult(
  intentId: string | null,
  record: SettledRecord,
  choice = matchedChoice(record, record.response ?? null),
): RespondResult {
  const { metadata } = record;
  return {
    intent_id: intentId,
    suspension_id: record.id,
    resolution: 'responded',
    value: record.response ?? null,
    ...(choice === undefined ? {} : { choice_label: choice.label }),
    ...(choice?.description === undefined ? {} : { choice_description: choice.description }),
    responded_by: record.responded_by ?? record.settled_by,
    responded_at: record.responded_at ?? record.settled_at,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** What silence comes to: the intent's next status, and the value the agent goes on with. */
interface Fallback {
  readonly status: 'active' | 'abandoned';
  readonly fallback_policy: FallbackPolicy;
  readonly value?: JsonValue;
  /** Present, and false, only where an operator could not have answered with this value (AM-06). */
  readonly fallback_value_valid?: false;
}

/**
 * What happens when nobody answers, from the record alone (R25-02, RFC-0025 §6). `fail` abandons
 * (AM-02); the other two are one behaviour and never complete the intent (AM-04): it goes on with
 * `fallback_value`, or with null where there is none (AM-05).
 */
export function fallbackOf(
  record: Pick<
    SuspensionRecord,
    'response_type' | 'choices' | 'fallback_policy' | 'fallback_value'
  >,
): Fallback {
  const fallback_policy = record.fallback_policy;
  if (fallback_policy === 'fail') return { status: 'abandoned', fallback_policy };
  const value = record.fallback_value ?? null;
  const valid = checkValue(record, value).ok;
  const settled = { status: 'active', fallback_policy, value } as const;
  return valid ? settled : { ...settled, fallback_value_valid: false };
}
