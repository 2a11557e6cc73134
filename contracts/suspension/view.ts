import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { INBOX_VIEWS, SUSPENSION_REASONS, type INBOX_SORTS } from '../constants/statuses.js';
import { decisionFields } from './decision.js';
import {
  boundedText,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
} from '../kernel/primitives.js';
import { problemSchema } from '../kernel/problem.js';
import { scheduleSchema } from './retry-policy.js';
import { verbFields, verbLists } from './verbs.js';
import {
  resolutionSchema,
  responseTypeSchema,
  suspensionRecordSchema,
  timelineEntrySchema,
} from './suspension.js';

/** The position of a suspension in its schedule. */
const suspensionProgressSchema = z.object({
  attempt: z.int().min(1).describe('The latest attempt; 1 from the start.'),
  max_attempts: z.int().min(1),
  next_attempt_at: instantSchema.nullable(),
});
export type SuspensionProgress = Readonly<z.infer<typeof suspensionProgressSchema>>;

const subjectSchema = z
  .uuid()
  .nullable()
  .describe('Null if no intent waits, but the workflow of an agent or a program that polls.');

export const inboxEntrySchema = suspensionProgressSchema
  .extend({
    id: z.uuid(),
    intent_id: subjectSchema,
    state: z.enum(['pending', 'settled']),
    asked_by: z.string().describe('The principal that asked.'),
    record: suspensionRecordSchema,
    ...decisionFields,
    ...verbFields,
  })
  .meta({ id: 'InboxEntry' });
export type InboxEntry = Readonly<z.infer<typeof inboxEntrySchema>>;

/** Body of `GET /v1/suspensions/{id}` and `…/wait`. */
export const suspensionViewSchema = inboxEntrySchema
  .extend({
    asked_as: z
      .exactOptional(z.string())
      .describe('The name in which it was asked, if that is another.'),
    ...verbLists,
    warnings: z
      .exactOptional(z.array(z.string()).readonly())
      .describe('What is unusual about the question, as its asker was told.'),
    schedule: scheduleSchema,
    timeline: z.array(timelineEntrySchema).readonly(),
  })
  .meta({ id: 'SuspensionView' });
export type SuspensionView = Readonly<z.infer<typeof suspensionViewSchema>>;

type Attention = Pick<SuspensionView, keyof typeof verbFields | keyof typeof verbLists>;

/** A suspension as shown by its own workflow, without absent attention fields. */
export type LiveView = Omit<SuspensionView, keyof Attention> & Partial<Attention>;
/** Something that waits for the answer, with its distance from the question. */
const blockedSchema = z.object({
  kind: z
    .enum(['intent', 'task', 'plan', 'workflow', 'portfolio', 'run'])
    .describe(
      'A `workflow` is a plan that was started as one, or the workflow of an agent; a `run` is that of an agent whose calls wait for an approval.',
    ),
  id: z.string(),
  title: z.string(),
  depth: z.int().min(0).describe('What is one deeper, and follows, waits for this.'),
});
export type Blocked = Readonly<z.infer<typeof blockedSchema>>;

/** Body of `GET /v1/suspensions/{id}/blocks`. */
export const blockedListSchema = z.object({
  blocks: z
    .array(blockedSchema)
    .max(LIMITS.blocked)
    .readonly()
    .describe('What waits for the answer, as an indented list.'),
});

/** Reply of `POST …/suspend`: the suspension, with warnings about the request. */
export const askedViewSchema = suspensionViewSchema
  .extend({
    warnings: z.exactOptional(z.array(z.string()).readonly()),
  })
  .meta({ id: 'AskedView' });

/**
 * Reply of `POST …/suspend/respond` with status 200 (R25-73, R25-74). If several people decide, it has `approvals`
 * and `required`, and no `resolution` until enough agree.
 */
export const respondResultSchema = z
  .object({
    intent_id: subjectSchema,
    suspension_id: z.uuid(),
    resolution: z
      .exactOptional(z.literal('responded'))
      .describe('Absent while more people have to answer.'),
    value: jsonValueSchema,
    choice_label: z.exactOptional(z.string()),
    choice_description: z.exactOptional(z.string()),
    responded_by: z.string(),
    responded_at: instantSchema,
    comment: z.exactOptional(z.string()),
    data: z.exactOptional(jsonObjectSchema),
    metadata: z.exactOptional(jsonObjectSchema),
    approvals: z.exactOptional(decisionFields.approvals),
    required: z.exactOptional(decisionFields.required),
  })
  .meta({ id: 'RespondResult' });
export type RespondResult = Readonly<z.infer<typeof respondResultSchema>>;

/** Reply of `POST …/suspend/respond` with status 202: the answer is stored but not judged yet. */
export const handedOverSchema = z.object({
  intent_id: subjectSchema,
  suspension_id: z.uuid(),
  status: z.literal('handed_over'),
  detail: z.string(),
});

/** Reply of `POST /v1/suspensions/respond`: the result of each answer, in the order of the request. */
export const bulkAnswersSchema = z.object({
  results: z
    .array(
      z.object({
        suspension_id: z.string(),
        outcome: z.enum(['settled', 'counted', 'handed_over', 'refused']),
        result: z.exactOptional(respondResultSchema).describe('If the answer counts.'),
        problem: z
          .exactOptional(problemSchema)
          .describe(
            'Why it was refused. Where several have the same valid_choices, the first of them has them, and the others name it.',
          ),
      }),
    )
    .readonly(),
});
export type BulkAnswers = Readonly<z.infer<typeof bulkAnswersSchema>>;

export type InboxSort = (typeof INBOX_SORTS)[number];

export type InboxViewName = (typeof INBOX_VIEWS)[number];

export function searchedWords(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

const isFewWords = (text: string): boolean => searchedWords(text).length <= LIMITS.searchedWords;

const searchedSchema = nameSchema
  .refine(isFewWords, { params: { accepted: `at most ${LIMITS.searchedWords} words` } })
  .meta({ pattern: `^\\s*(\\S+\\s+){0,${LIMITS.searchedWords - 1}}\\S+\\s*$` });

/** Filters suspensions. All given fields have to match. */
export const inboxFilterSchema = z.object({
  resolution: resolutionSchema.optional(),
  /** The default is `all`. */
  view: z.enum(INBOX_VIEWS).optional(),
  /** A group that the rule of the question names. */
  group: nameSchema.optional(),
  /** Questions to people by default. */
  reason: z.enum(SUSPENSION_REASONS).optional(),
  /** A channel that one of the attempts so far used. */
  channel: nameSchema.optional(),
  /** A recipient of one of the attempts so far. */
  recipient: nameSchema.optional(),
  response_type: responseTypeSchema.optional(),
  asked_by: nameSchema.optional(),
  intent_id: z.guid().optional(),
  /** The first 8 characters or more of the id, as messages and lists show it. */
  id_prefix: boundedText(36)
    .regex(/^[\da-fA-F-]{8,36}$/)
    .optional(),
  /** Words of the question, its answer, calls or context. Each matches a part of any word, ignoring case and accents. */
  text: searchedSchema.optional(),
});
export type InboxFilter = z.output<typeof inboxFilterSchema>;

/** Body of `GET /v1/suspensions`. */
export const inboxPageSchema = z
  .object({
    suspensions: z.array(inboxEntrySchema).readonly(),
    next_cursor: z.string().nullable().describe('Reads the next page; null on the last one.'),
  })
  .meta({ id: 'InboxPage' });
export type InboxPage = Readonly<z.infer<typeof inboxPageSchema>>;

const count = z.int().min(0);

/** Body of `GET /v1/suspensions/counts`. */
export const inboxCountsSchema = z.object({
  pending: count,
  responded: count,
  expired: count,
  cancelled: count,
});
export type InboxCounts = Readonly<z.infer<typeof inboxCountsSchema>>;

/** The kinds of change of a question. If several happened, a frame names the most important one. */
export const QUESTION_CHANGES = [
  'opened',
  'attempt',
  'voted',
  'eligibility_changed',
  'amended',
  'claimed',
  'released',
  'delegated',
  'taken_back',
  'commented',
  'settled',
  'erased',
  'other',
] as const;

/** A frame of `GET /v1/suspensions/subscribe`. */
export const suspensionChangeSchema = z.object({
  id: z.uuid(),
  state: z.enum(['pending', 'settled']),
  change: z.enum(QUESTION_CHANGES).describe('The latest change; read the question for all of it.'),
});
export type SuspensionChange = Readonly<z.infer<typeof suspensionChangeSchema>>;
