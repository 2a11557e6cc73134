import type { ServerConfig } from '../../../contracts/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  NewSubscription,
  SubscribeRequest,
  Subscription,
} from '../../../contracts/subscription.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import { subscriptionSecret } from '../../../domain/subscription/secret.js';
import { sightOf } from '../../../domain/subscription/sight.js';
import { feedEnd } from '../../../store/feed/end.js';
import {
  countSubscriptions,
  findSubscription,
  listSubscriptions,
} from '../../../store/queries/subscription.js';
import type { SubscriptionPage } from '../../../store/queries/subscription.js';
import { creationQuery } from '../../../workflows/engine/messages.js';
import {
  endSubscriptionSignal,
  subscriptionQuery,
} from '../../../workflows/subscription/messages.js';
import type { RefusalError } from '../../errors.js';
import { demand } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import { demandKept } from '../calls/live.js';
import { createOnce } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Temporal } from '../calls/temporal.js';
import { proven } from '../caller.js';
import type { Caller, Listed } from '../caller.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';
import {
  demandEntityId,
  notFound,
  readUnavailable,
  referenced,
  refused,
  writeUnavailable,
} from '../refusals.js';
import { listAfter } from '../reads/from-store.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import type { DemandAccess } from '../intent/access.js';
import type { GetPortfolio } from '../portfolio/reads.js';

/** A new subscription, as requested. */
export function subscriptionOf(
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
 * Refuses one subscription too many. Two that are made at the same moment may both still be counted in.
 *
 * @throws RefusalError `too_many_subscriptions`
 */
async function demandRoom(
  { config, fromStore }: Deps,
  { principal, space }: Caller,
): Promise<void> {
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

/** The end of a subscription has to be in the future, and within the range of a timer. */
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

/** What the store is to show of a subscription. */
export type WantedStage = 'begun' | 'over';

interface Deps {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly temporal: Pick<Temporal, 'start' | 'query' | 'signal'>;
  readonly demandAccess: DemandAccess;
  readonly getPortfolio: GetPortfolio;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
  readonly memory: { readonly subscriptions: SpaceMemory<WantedStage> };
}

/** Begins a subscription. Throws `too_many_subscriptions`, what `checkSubscribe` throws, and what refuses what it names. */
function createBegin(deps: Deps, written: ReturnType<typeof createWritten>) {
  const { config, clock, temporal, demandAccess, getPortfolio, fromStore } = deps;
  return async function begin(
    caller: Caller,
    request: SubscribeRequest,
    { id, workflowId, creation_hash }: Creation,
  ): Promise<Subscription | 'exists'> {
    checkSubscribe(request, config, clock.now());
    await demandRoom(deps, caller);
    if (request.intent_id !== undefined) {
      const { intent_id } = request;
      await referenced('intent_id', demandAccess(caller, 'subscribeToIntent', intent_id));
    }
    if (request.portfolio_id !== undefined) {
      await referenced('portfolio_id', getPortfolio(request.portfolio_id));
    }
    const after = await fromStore(feedEnd);
    const subscription = subscriptionOf(caller, request, id, toInstant(clock.now()));
    const sight = sightOf(caller, config.authorization.agents_read);
    const created = creation_hash !== undefined && { creation_hash };
    const started = await temporal.start('subscription', {
      workflowId,
      input: { ...sight, subscription, after, ...created },
      summary: `events for ${subscription.subscriber_id}`,
      attributes: [],
    });
    written.touch(id, 'begun');
    await written.catchUp();
    return started === 'exists' ? started : subscription;
  };
}

/**
 * Webhook subscriptions: each is a workflow, and is read from its row in the store. Lists are `stale` where
 * the store does not show within 2 s what was subscribed or ended here. Throws what `checkSubscribe` throws,
 * `intent_not_found` and `portfolio_not_found` with the field, `subscription_not_found`, `forbidden`, and
 * `workflow_unavailable`, also if an end is not stored in time: what was requested may still happen.
 */
export function createSubscriptions(deps: Deps) {
  const { config, temporal, fromStore, creationOf } = deps;
  const written = createWritten(deps);
  const begin = createBegin(deps, written);

  return {
    /** With an Idempotency-Key it is made once; see `createOnce`. */
    async subscribe(
      caller: Caller,
      request: SubscribeRequest,
      idempotencyKey?: string,
    ): Promise<NewSubscription> {
      const [newest] = config.subscriptions.secrets ?? [];
      if (newest === undefined) throw notConfigured();
      const creation = creationOf('subscription', caller, idempotencyKey, request);
      const { id } = creation;
      const read = async () => ({ value: await find(deps, id), stale: false });
      const made = await createOnce(deps, creation, {
        table: 'subscriptions',
        definition: creationQuery,
        create: () => begin(caller, request, creation),
        viewOf: async () => (await read()).value,
        read,
      });
      return { ...made, secret: subscriptionSecret(newest, made.id) };
    },
    /** Every subscription for callers who may answer, its own for an agent. */
    async listSubscriptions(
      caller: Caller,
      page: Omit<SubscriptionPage, 'created_by'>,
    ): Promise<Listed<Subscription>> {
      const own = mayAll(caller, 'listSubscriptions') ? {} : { created_by: caller.principal };
      const list = () => fromStore(listSubscriptions, { ...page, ...own });
      return listAfter(written.catchUp(), list);
    },
    async unsubscribe(caller: Caller, id: string): Promise<Subscription> {
      const found = await find(deps, id);
      demand(authorize(caller, 'deleteSubscription', { maker: found.created_by }));
      if (!found.active) return found;
      written.touch(id, 'over');
      await temporal.signal(workflowIdOf('subscription', id), endSubscriptionSignal, [
        { by: proven(caller) },
      ]);
      await written.catchUp();
      const now = await fromStore(findSubscription, id);
      if (now?.active !== false) throw writeUnavailable();
      return now;
    },
  };
}

/** If the store does not know a subscription yet, its workflow is asked. */
async function find({ temporal, fromStore }: Deps, id: string): Promise<Subscription> {
  demandEntityId('subscription', id);
  const row = await fromStore(findSubscription, id);
  if (row !== undefined) return row;
  await demandKept(fromStore, 'subscription', id);
  const asked = await temporal.query(workflowIdOf('subscription', id), subscriptionQuery);
  if (asked.kind === 'done') return asked.value;
  throw asked.kind === 'gone' ? notFound('subscription') : readUnavailable();
}

/** The subscriptions that this replica began or ended. */
function createWritten({ clock, log, fromStore, memory }: Deps) {
  return new ReadYourWrites(
    { clock, log, memory: memory.subscriptions },
    { missing: (wanted) => notShown(fromStore, wanted) },
  );
}

/** The ids of subscriptions that the store does not show as they were written. */
async function notShown(
  fromStore: FromStore,
  wanted: ReadonlyMap<string, WantedStage>,
): Promise<readonly string[]> {
  const looks = [...wanted].map(async ([id, want]) => {
    const found = await fromStore(findSubscription, id);
    const isShown = want === 'begun' ? found !== undefined : found?.active === false;
    return isShown ? [] : [id];
  });
  return (await Promise.all(looks)).flat();
}
