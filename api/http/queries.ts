import { z } from 'zod';
import { APPROVAL_STATUSES } from '../../contracts/constants/approvals.js';
import { isExactNumber } from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { INBOX_SORTS, inboxFilterSchema } from '../../contracts/suspension-view.js';
import { intentStatusSchema } from '../../contracts/intent.js';
import { portfolioStatusSchema } from '../../contracts/portfolio.js';
import { nameSchema } from '../../contracts/primitives.js';
import { taskStatusSchema } from '../../contracts/task.js';
import type { InboxRequest } from '../gateway/suspension/inbox.js';

const DEFAULT_WAIT_SECONDS = 30;
const DIGITS = /^-?\d{1,16}(\.\d{1,15})?$/;

/** A number in digits that a double keeps; anything else is left for the inner schema to refuse. */
export const digits = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (text) =>
      typeof text === 'string' && DIGITS.test(text) && isExactNumber(text) ? Number(text) : text,
    schema,
  );

const limit = digits(z.int().min(1).max(LIMITS.pageSize).default(LIMITS.defaultPageSize));
const offset = digits(z.int().min(0).default(0));

/** Query of `GET /v1/intents`. */
export const intentPageSchema = z.object({
  limit,
  offset,
  status: z.exactOptional(intentStatusSchema),
});

/** Query of `GET /v1/intents/{id}/tasks`. */
export const taskPageSchema = z.object({
  limit,
  offset,
  status: z.exactOptional(taskStatusSchema),
});

/** Query of lists that follow the graph, and of an intent's plans. */
export const pageSchema = z.object({ limit, offset });

/** Query of `GET /v1/log/export`. */
export const checkpointQuerySchema = z.object({
  checkpoint: z.exactOptional(digits(z.int().min(1).max(2_147_483_647))),
});

/** Query of `GET /v1/intents/{id}/events`. */
export const eventPageSchema = z.object({ limit, offset, event_type: z.exactOptional(nameSchema) });

/** Query of `GET /v1/portfolios`. */
export const portfolioPageSchema = z.object({
  limit,
  offset,
  status: z.exactOptional(portfolioStatusSchema),
  created_by: z.exactOptional(nameSchema),
});

/** Query of `GET /v1/portfolios/{id}/intents`. */
export const memberPageSchema = z.object({ limit, offset });

/** Query of `GET /v1/approvals`. */
export const approvalPageSchema = z.object({
  limit,
  offset,
  status: z.exactOptional(z.enum(APPROVAL_STATUSES)),
  run_id: z.exactOptional(nameSchema),
  intent_id: z.exactOptional(z.uuid()),
  checkpoint: z
    .exactOptional(z.literal('open'))
    .describe('Those whose agent has left a checkpoint and is not back.'),
});

/** Query of `GET /v1/suspensions`. */
export const inboxQuerySchema = inboxFilterSchema.extend({
  state: z.enum(['pending', 'settled']).optional(),
  sort: z.enum(INBOX_SORTS).optional(),
  limit: digits(z.int().min(1).max(LIMITS.inboxPageSize).default(LIMITS.defaultInboxPageSize)),
  cursor: z.string().min(1).max(1_000).optional(),
});

/** By default the pending questions, the most urgent first. Of settled ones those come first that were settled last. */
export function inboxRequestOf({
  state,
  sort,
  ...rest
}: z.output<typeof inboxQuerySchema>): InboxRequest {
  const shown = state ?? (rest.resolution === undefined ? 'pending' : 'settled');
  return { ...rest, state: shown, sort: sort ?? (shown === 'pending' ? 'urgency' : 'settled') };
}

/** Query of `GET /v1/suspensions/{id}/wait`: seconds to wait, and the last attempt already seen. */
export const waitQuerySchema = z.object({
  timeout_seconds: digits(z.int().min(1).max(LIMITS.waitSeconds).default(DEFAULT_WAIT_SECONDS)),
  after_attempt: digits(z.int().min(0).optional()),
});

/** Query of `GET /v1/subscriptions`. */
export const subscriptionPageSchema = z.object({
  limit,
  offset,
  intent_id: z.uuid().optional(),
  portfolio_id: z.uuid().optional(),
});

/** Query of the streams, for clients that cannot send `Last-Event-ID` first; the header wins. */
export const feedStartSchema = z.object({
  last_event_id: digits(z.int().min(0).max(999_999_999_999_999).optional()),
});
