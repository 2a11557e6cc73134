import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { isSettled } from './state.js';
import { validChoices } from './response.js';

/** What an answer has to look like: the type, the values between which it chooses in any order, and the schema. */
function shapeOf(record: SuspensionRecord): JsonObject {
  const { response_type, response_schema = null } = record;
  const values = validChoices(record).map(({ value }) => value);
  return { response_type, values: values.sort(), response_schema };
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
    accepted: 'questions with the same response type, choices and response schema',
  });
}
