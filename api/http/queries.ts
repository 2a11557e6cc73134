import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../contracts/constants/approvals.js';
import { isExactNumber } from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { INBOX_SORTS } from '../../contracts/constants/statuses.js';
import { inboxFilterSchema } from '../../contracts/suspension/view.js';
import {
  ENGAGEMENT_GROUPINGS,
  daySchema,
  engagementFilterSchema,
} from '../../contracts/suspension/engagement.js';
import { intentStatusSchema } from '../../contracts/intent/intent.js';
import { portfolioStatusSchema } from '../../contracts/portfolio/portfolio.js';
import { nameSchema, timeZoneSchema } from '../../contracts/kernel/primitives.js';
import { taskStatusSchema } from '../../contracts/plan/task.js';
import type { InboxRequest } from '../usecases/suspension/inbox.js';

const DEFAULT_WAIT_SECONDS = 30;
const DIGITS = /^-?\d{1,16}(\.\d{1,15})?$/;

/** Reads a number in digits that a double keeps exactly; the inner schema refuses anything else. */
export const digits = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (text) =>
      typeof text === 'string' && DIGITS.test(text) && isExactNumber(text) ? Number(text) : text,
    schema,
  );

const limit = digits(z.int().min(1).max(LIMITS.pageSize).default(LIMITS.defaultPageSize));
const offset = digits(z.int().min(0).default(0));

export const pageSchema = z.object({ limit, offset });

export const intentPageSchema = pageSchema.extend({ status: z.exactOptional(intentStatusSchema) });

export const taskPageSchema = pageSchema.extend({ status: z.exactOptional(taskStatusSchema) });

/** Query of `GET /v1/log/export`. */
export const checkpointQuerySchema = z.object({
  checkpoint: z.exactOptional(digits(z.int().min(1).max(2_147_483_647))),
});

export const eventPageSchema = pageSchema.extend({ event_type: z.exactOptional(nameSchema) });

export const portfolioPageSchema = pageSchema.extend({
  status: z.exactOptional(portfolioStatusSchema),
  created_by: z.exactOptional(nameSchema),
});

export const approvalPageSchema = pageSchema.extend({
  status: z.exactOptional(z.enum(APPROVAL_STATUSES)),
  run_id: z.exactOptional(nameSchema),
  intent_id: z.exactOptional(z.uuid()),
  checkpoint: z
    .exactOptional(z.literal('open'))
    .describe('Those whose agent has left a checkpoint and is not back.'),
});

const DEFAULT_CANDIDATES = 20;

export const candidatesQuerySchema = z.object({
  text: z
    .string()
    .max(LIMITS.nameCharacters)
    .default('')
    .describe('Beginnings of words of a name, a principal or a group.'),
  limit: digits(z.int().min(1).max(LIMITS.candidates).default(DEFAULT_CANDIDATES)),
});

/** Query of `GET /v1/metrics/engagement`. */
export const engagementQuerySchema = engagementFilterSchema.extend({
  from: daySchema.optional().describe('The first day; by default so that there are 30.'),
  to: daySchema.optional().describe('The last day, which is included; by default today.'),
  time_zone: timeZoneSchema
    .default('UTC')
    .describe('Where the days are days: a name of the IANA database.'),
  group_by: z.enum(ENGAGEMENT_GROUPINGS).default('day'),
});

export const inboxQuerySchema = inboxFilterSchema.extend({
  state: z.enum(['pending', 'settled']).optional(),
  sort: z.enum(INBOX_SORTS).optional(),
  limit: digits(z.int().min(1).max(LIMITS.inboxPageSize).default(LIMITS.defaultInboxPageSize)),
  cursor: z.string().min(1).max(2_000).optional(),
});

/** Fills in the defaults: pending questions, the most urgent first; of settled ones, those settled last come first. */
export function inboxRequestOf({
  state,
  sort,
  ...rest
}: z.output<typeof inboxQuerySchema>): InboxRequest {
  const shown = state ?? (rest.resolution === undefined ? 'pending' : 'settled');
  return { ...rest, state: shown, sort: sort ?? (shown === 'pending' ? 'urgency' : 'settled') };
}

/** Query of `GET /v1/suspensions/{id}/wait`: seconds to wait, and the last attempt that the caller has seen. */
export const waitQuerySchema = z.object({
  timeout_seconds: digits(z.int().min(1).max(LIMITS.waitSeconds).default(DEFAULT_WAIT_SECONDS)),
  after_attempt: digits(z.int().min(0).optional()),
});

export const subscriptionPageSchema = pageSchema.extend({
  intent_id: z.uuid().optional(),
  portfolio_id: z.uuid().optional(),
});

/** Query of the streams, for clients that cannot send `Last-Event-ID` first; the header wins. */
export const feedStartSchema = z.object({
  last_event_id: digits(z.int().min(0).max(999_999_999_999_999).optional()),
});
