import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { isSettled } from './state.js';
import { validChoices } from './response.js';

/**
 * What an answer has to look like: the type, the choices in any order with the words that people read, and the schema. The same
 * value under another label may mean the opposite.
 */
function shapeOf(record: SuspensionRecord): JsonObject {
  const { response_type, response_schema = null } = record;
  const choices = validChoices(record)
    .map(({ value, label, style = null }) => ({ value, label, style }))
    .sort((one, other) => (one.value < other.value ? -1 : 1));
  return { response_type, choices, response_schema };
}

/**
 * Judges whether one answer can be given to several questions: all that are open have the same shape. Refuses
 * `mixed_shapes` for the first that differs.
 *
 * @param records - in the order of the request; undefined for one that is not known
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
