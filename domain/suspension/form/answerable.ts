import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { fieldAt } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkSchema } from '../../schema/checks.js';
import { Contradictions } from '../../schema/contradiction.js';

/** The purpose of a schema: the value of a form, or the data of a decision, which are an object. */
type JudgedPart = 'value' | 'data';

const ACCEPTED: Readonly<Record<JudgedPart, string>> = {
  value: 'a schema that some answer fits',
  data: 'a schema that some object fits: it is for the data of an answer, beside its value',
};

/**
 * Checks that a schema can judge answers and does not exclude all. Refuses `invalid_response_schema` with the path.
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
