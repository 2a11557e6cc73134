import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { jsonObjectSchema, writtenSchema } from '../kernel/primitives.js';

/** The notes beside the value of an answer. A text keeps its spaces and line breaks, and is not blank. */
export const answerNotes = {
  comment: writtenSchema(LIMITS.questionCharacters)
    .optional()
    .describe('Why it was answered so, for whoever reads the answer.'),
  data: jsonObjectSchema
    .optional()
    .describe('What else the question wants; its `response_schema` judges it.'),
};

/** Says that an answer is meant although somebody else has claimed the question. */
export const despiteClaimSchema = z
  .boolean()
  .optional()
  .describe('Answers although somebody else has claimed the question.');

const NAMES = Object.keys(answerNotes);

/** Notes of a channel, such as where an answer was given. A comment and data have a field of their own, and no second place. */
export const answerMetadataSchema = jsonObjectSchema
  .check(({ value, issues }) => {
    for (const name of NAMES.filter((one) => Object.hasOwn(value, one))) {
      issues.push({
        code: 'custom',
        input: value[name],
        path: [name],
        params: { accepted: `the field ${name} of the answer itself, beside its value` },
      });
    }
  })
  .meta({ not: { anyOf: NAMES.map((name) => ({ required: [name] })) } })
  .optional()
  .describe('Notes of the channel, such as `via`: any JSON object without `comment` and `data`.');
