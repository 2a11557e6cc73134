import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  NewSubscription,
  SubscribeRequest,
  Subscription,
} from '../../../contracts/subscription/subscription.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import {
  countSubscriptions,
  findSubscription,
  listSubscriptions as stored,
  type SubscriptionPage,
} from '../../../store/queries/people/subscription.js';
import {
  endSubscriptionSignal,
  subscriptionQuery,
} from '../../../workflows/subscription/messages.js';
import { demand, type RefusalError } from '../../errors.js';
import { demandKept } from '../../parts/calls/live.js';
import { proven, type Caller, type Listed } from '../../parts/caller.js';
import { listAfter } from '../../parts/reads/from-store.js';
import {
  demandEntityId,
  notFound,
  readUnavailable,
  referenced,
  refused,
  writeUnavailable,
} from '../../parts/refusals.js';
import { READ, START, useCase, type Call } from '../usecase.js';
import type { ServerConfig } from '../../../contracts/server/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { sightOf, subscriptionSecret } from '../../../domain/subscription/subscription.js';
import { feedEnd } from '../../../store/feed/end.js';
import { creationQuery } from '../../../workflows/engine/messages.js';
import { createOnce, type Creation } from '../../parts/calls/once.js';

/**
 * Lists every subscription for callers who may answer, its own for an agent. The list is `stale` if the store does
 * not show the writes of this replica within 2 s.
 */
export const listSubscriptions = useCase({
  name: 'listSubscriptions',
  resource: 'subscription',
  refusals: ['store_unavailable'],
  async run(
    { caller, parts }: Call,
    page: Omit<SubscriptionPage, 'created_by'>,
  ): Promise<Listed<Subscription>> {
    const own = mayAll(caller, 'listSubscriptions') ? {} : { created_by: caller.principal };
    const list = () => parts.fromStore(stored, { ...page, ...own });
    return listAfter(parts.writtenSubscriptions.catchUp(), list);
  },
});

/**
 * Ends a subscription, for its creator or an admin. Throws `workflow_unavailable` if its end is not stored in time:
 * it may still end.
 */
export const deleteSubscription = useCase({
  name: 'deleteSubscription',
  resource: 'subscription',
  refusals: ['forbidden', ...READ],
  async run(call: Call, id: string): Promise<Subscription> {
    const { caller, parts } = call;
    const found = await findSubscribed(call, id);
    demand(authorize(caller, 'deleteSubscription', { maker: found.created_by }));
    if (!found.active) return found;
    const { writtenSubscriptions: written, temporal, fromStore } = parts;
    written.touch(id, 'over');
    const by = proven(caller);
    await temporal.signal(workflowIdOf('subscription', id), endSubscriptionSignal, [{ by }]);
    await written.catchUp();
    const now = await fromStore(findSubscription, id);
    if (now?.active !== false) throw writeUnavailable();
    return now;
  },
});

/** Returns a subscription from its row, else from its workflow. Throws `subscription_not_found`. */
async function findSubscribed({ parts }: Call, id: string): Promise<Subscription> {
  const { temporal, fromStore } = parts;
  demandEntityId('subscription', id);
  const row = await fromStore(findSubscription, id);
  if (row !== undefined) return row;
  await demandKept(fromStore, 'subscription', id);
  const asked = await temporal.query(workflowIdOf('subscription', id), subscriptionQuery);
  if (asked.kind === 'done') return asked.value;
  throw asked.kind === 'gone' ? notFound('subscription') : readUnavailable();
}

/**
 * Subscribes a webhook to events; each subscription is a workflow. With an Idempotency-Key it is made once, see `createOnce`.
 * Throws `intent_not_found` and `portfolio_not_found` with the field, and what `checkSubscribe` throws.
 */
export const createSubscription = useCase({
  name: 'createSubscription',
  resource: 'subscription',
  refusals: [
    'intent_not_found',
    'portfolio_not_found',
    'webhooks_not_configured',
    'too_many_subscriptions',
    'deadline_in_past',
    ...START,
  ],
  async run(
    call: Call,
    request: SubscribeRequest,
    idempotencyKey?: string,
  ): Promise<NewSubscription> {
    const { caller, parts } = call;
    const [newest] = parts.config.subscriptions.secrets ?? [];
    if (newest === undefined) throw notConfigured();
    const creation = parts.creationOf('subscription', caller, idempotencyKey, request);
    const read = async () => ({ value: await findSubscribed(call, creation.id), stale: false });
    const made = await createOnce(parts, creation, {
      table: 'subscriptions',
      definition: creationQuery,
      create: () => begin(call, request, creation),
      viewOf: async () => (await read()).value,
      read,
    });
    return { ...made, secret: subscriptionSecret(newest, made.id) };
  },
});

async function begin(
  call: Call,
  request: SubscribeRequest,
  { id, workflowId, creation_hash }: Creation,
): Promise<Subscription | 'exists'> {
  const { caller, parts } = call;
  const { config, clock, writtenSubscriptions: written } = parts;
  checkSubscribe(request, config, clock.now());
  await demandRoom(call);
  if (request.intent_id !== undefined) {
    const { intent_id } = request;
    const reading = parts.access.demandAccess(caller, 'subscribeToIntent', intent_id);
    await referenced('intent_id', reading);
  }
  if (request.portfolio_id !== undefined) {
    await referenced('portfolio_id', parts.portfolios.known(request.portfolio_id));
  }
  const after = await parts.fromStore(feedEnd);
  const subscription = subscriptionOf(caller, request, id, toInstant(clock.now()));
  const sight = sightOf(caller, config.authorization.agents_read);
  const created = creation_hash !== undefined && { creation_hash };
  const started = await parts.temporal.start('subscription', {
    workflowId,
    input: { ...sight, subscription, after, ...created },
    summary: `events for ${subscription.subscriber_id}`,
    attributes: [],
  });
  written.touch(id, 'begun');
  await written.catchUp();
  return started === 'exists' ? started : subscription;
}

function subscriptionOf(
  { principal }: Caller,
  request: SubscribeRequest,
  id: string,
  created_at: string,
): Subscription {
  return {
    id,
    intent_id: request.intent_id ?? null,
    portfolio_id: request.portfolio_id ?? null,
    subscriber_id: request.subscriber_id ?? principal,
    event_types: request.event_types,
    webhook_url: request.webhook_url,
    active: true,
    expires_at: request.expires_at === undefined ? null : toInstant(toMillis(request.expires_at)),
    created_by: principal,
    created_at,
    ended_at: null,
    end_reason: null,
  };
}

/**
 * Refuses what no schema can check: what depends on the configuration, the clock, or two fields at once.
 *
 * @param now - milliseconds since the epoch
 * @throws RefusalError `webhooks_not_configured`, `deadline_in_past` or `invalid_request`
 */
export function checkSubscribe(
  request: SubscribeRequest,
  { subscriptions }: ServerConfig,
  now: number,
): void {
  if (subscriptions.secrets === undefined) throw notConfigured();
  if (request.intent_id !== undefined && request.portfolio_id !== undefined) {
    throw refused('invalid_request', 'A subscription is for an intent or for a portfolio.', {
      field: 'portfolio_id',
      accepted: 'one of intent_id and portfolio_id, or neither for all intents',
    });
  }
  if (request.expires_at !== undefined) checkEnd(toMillis(request.expires_at), now);
}

/**
 * Refuses a subscription above the limit. Two that are made at the same moment may both still pass.
 * @throws RefusalError `too_many_subscriptions`
 */
async function demandRoom({ caller: { principal, space }, parts }: Call): Promise<void> {
  const { config, fromStore } = parts;
  const { per_principal, total } = config.limits.subscriptions;
  const { own, all } = await fromStore(countSubscriptions, principal, space);
  if (own < per_principal && all < total) return;
  const accepted =
    own < per_principal ? `at most ${total} in all` : `at most ${per_principal} for one principal`;
  throw refused('too_many_subscriptions', 'End a subscription first.', { accepted });
}

function notConfigured(): RefusalError {
  return refused('webhooks_not_configured', 'This server has no secret to sign webhooks with.', {
    accepted: 'a server with subscriptions.secrets or HOLDPOINT_SUBSCRIPTION_SECRETS',
  });
}

/** Demands that the end of a subscription lies in the future, and within the range of a timer. */
function checkEnd(end: number, now: number): void {
  const field = 'expires_at';
  if (end <= now) {
    const accepted = 'an instant in the future';
    throw refused('deadline_in_past', 'The subscription would be over already.', {
      field,
      accepted,
    });
  }
  if (end - now <= LIMITS.windowSeconds * 1_000) return;
  const accepted = `an instant within ${LIMITS.windowSeconds} seconds`;
  throw refused('invalid_request', 'The subscription would be too long.', { field, accepted });
}
