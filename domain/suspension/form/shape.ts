import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { jsonEqual } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { isSettled } from '../record/state.js';
import { validChoices } from '../answering/response.js';

/** Returns the shape of an answer: type, choices in any order with their labels, and schema. */
function shapeOf(record: SuspensionRecord): JsonObject {
  const { response_type, response_schema = null } = record;
  const choices = validChoices(record)
    .map(({ value, label, style = null }) => ({ value, label, style }))
    .sort((one, other) => (one.value < other.value ? -1 : 1));
  return { response_type, choices, response_schema };
}

/**
 * Refuses `mixed_shapes` for the first open question with another shape, so that one answer fits all.
 *
 * @param records - in the order of the request; undefined for an unknown one
 */
export function checkSameShape(records: readonly (SuspensionRecord | undefined)[]): Ruling<true> {
  const open = records.map((record) => (record && !isSettled(record) ? record : undefined));
  const first = open.find((record) => record !== undefined);
  if (first === undefined) return ok(true);
  const shape = shapeOf(first);
  const other = open.findIndex((record) => record && !jsonEqual(shapeOf(record), shape));
  if (other < 0) return ok(true);
  return refuse('mixed_shapes', 'The questions do not take the same answers.', {
    field: `answers[${other}].suspension_id`,
    accepted:
      'questions with the same response type, choices, labels of choices and response schema',
  });
}
