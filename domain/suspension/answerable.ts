import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { fieldAt } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { checkSchema } from '../schema/checks.js';
import { Contradictions } from '../schema/contradiction.js';

/** What a schema is for: the value of a form, or the data that come with a decision, which are an object. */
type JudgedPart = 'value' | 'data';

const ACCEPTED: Readonly<Record<JudgedPart, string>> = {
  value: 'a schema that some answer fits',
  data: 'a schema that some object fits: it is for the data of an answer, beside its value',
};

/**
 * Checks the schema of an answer: that it can be judged by, and that it does not plainly exclude every answer. Refuses
 * `invalid_response_schema` with the path in the schema.
 */
export function checkAnswerSchema(schema: JsonObject, part: JudgedPart): Ruling<true> {
  const checked = checkSchema(schema);
  if (!checked.ok) return checked;
  const looking = new Contradictions(schema);
  const found = part === 'value' ? looking.in(schema) : looking.in(schema, [], ['object']);
  if (found === undefined) return ok(true);
  return refuse('invalid_response_schema', `Nobody could answer: ${found.why}`, {
    field: fieldAt('response_schema', found.path),
    accepted: ACCEPTED[part],
  });
}
