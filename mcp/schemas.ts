import { z } from 'zod';
import { LIMITS } from '../contracts/constants/limits.js';
import { RESPONSE_TYPES, TEXT_FORMATS } from '../contracts/constants/statuses.js';

/** Clients and many proxies end a call after 60 s. */
const MOST_WAIT_SECONDS = 50;
const USUAL_WAIT_SECONDS = 25;

const json = z.record(z.string(), z.unknown());
const ticket = z.uuid().describe('The `ticket` that `ask_human` returned.');

/** The input of `ask_human`. The service checks what this schema does not. */
export const askInput = z.object({
  question: z
    .string()
    .min(1)
    .max(LIMITS.questionCharacters)
    .describe('What to ask, complete in itself: the person does not see this conversation.'),
  text_format: z
    .enum(TEXT_FORMATS)
    .optional()
    .describe('`markdown` if the question is Markdown; plain by default.'),
  request_key: z
    .string()
    .min(1)
    .max(LIMITS.nameCharacters)
    .describe(
      'A key of your own for this question. A call with the same key and question never asks twice: it finds the first.',
    ),
  response_type: z
    .enum(RESPONSE_TYPES)
    .optional()
    .describe(
      '`confirm` for a yes or no, `choice`, `text`, or `form`. By default `choice` with choices, else `confirm`.',
    ),
  choices: z
    .array(
      z.object({
        value: z.string().min(1).describe('What you get back.'),
        label: z.string().min(1).optional().describe('What the person sees; the value by default.'),
        description: z.string().optional(),
      }),
    )
    .max(LIMITS.choices)
    .optional()
    .describe('What the person chooses from.'),
  denials: z
    .array(z.string())
    .max(LIMITS.choices)
    .optional()
    .describe('The values that say no, such as `["hold"]`; `[]` if any answer is a go.'),
  response_schema: json.optional().describe('For a `form`: a JSON Schema of the answer.'),
  context: json.optional().describe('What the person needs to know to decide, as named values.'),
  timeout_seconds: z
    .int()
    .min(1)
    .optional()
    .describe('How long to wait for a person; without it, what the service is set to.'),
  fallback_value: z
    .unknown()
    .optional()
    .describe(
      'The answer to go on with if nobody answers in time; null for none. It is marked as no person’s.',
    ),
});

const status = z
  .enum(['pending', 'answered', 'expired', 'withdrawn'])
  .describe('`pending` is no error: a person may take hours.');
const expires_at = z.string().nullable().describe('When the question ends by itself; null: never.');
const next = z.string().describe('What to do now.');

export const askOutput = z.object({
  ticket: z.string().describe('Names the question from now on, also in another session.'),
  status,
  page: z.string().nullable().describe('Where a person finds the question; tell your user.'),
  expires_at,
  warnings: z.array(z.string()).describe('What the service says about the question.'),
  next,
});

export const answerInput = z.object({
  ticket,
  wait_seconds: z
    .int()
    .min(0)
    .max(MOST_WAIT_SECONDS)
    .default(USUAL_WAIT_SECONDS)
    .describe('How long to wait for the answer in this call.'),
});

export const answerOutput = z.object({
  ticket: z.string(),
  status,
  answer: z
    .unknown()
    .optional()
    .describe('The answer, or the fallback value; absent while there is none.'),
  is_denial: z
    .boolean()
    .nullable()
    .describe(
      'Whether the answer says no: as `denials` says, or by a usual word such as `reject`. Null without an answer, and where nothing says that it is a go.',
    ),
  from: z.enum(['person', 'fallback']).nullable().describe('A fallback is no person’s decision.'),
  answered_by: z.string().nullable(),
  answered_at: z.string().nullable(),
  comment: z.string().nullable().describe('Why it was answered so.'),
  data: z.unknown().nullable().describe('What else came with the answer.'),
  approvals: z.int().describe('How many people have agreed so far.'),
  required: z.int().describe('How many have to agree.'),
  expires_at,
  next,
});

export const withdrawInput = z.object({
  ticket,
  reason: z.string().min(1).max(LIMITS.questionCharacters).optional(),
});

export const withdrawOutput = z.object({
  ticket: z.string(),
  status: status.describe('`answered` or `expired` if the question was settled before.'),
});
