import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../../../contracts/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SubscribeRequest, Subscription } from '../../../contracts/subscription.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { feedEnd } from '../../../store/feed/end.js';
import { findSubscription, listSubscriptions } from '../../../store/queries/subscription.js';
import type { SubscriptionPage } from '../../../store/queries/subscription.js';
import {
  endSubscriptionSignal,
  subscriptionQuery,
} from '../../../workflows/subscription/messages.js';
import type { SubscriptionInput } from '../../../workflows/subscription/messages.js';
import type { RefusalError } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { mayAnswer } from '../caller.js';
import type { Caller, Read } from '../caller.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { isEntityId, referenced } from '../references.js';
import { readUnavailable, refused, writeUnavailable } from '../refusals.js';
import type { Reads } from '../intent/reads.js';
import type { GetPortfolio } from '../portfolio/reads.js';

/** A new subscription, as it was asked for. */
export function subscriptionOf(
  { principal }: Caller,
  request: SubscribeRequest,
  created_at: string,
): Subscription {
  return {
    id: randomUUID(),
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
 * Refuses what no schema can tell: it follows from the configuration, the clock, or two fields at once.
 *
 * @param now - milliseconds since the epoch
 * @throws RefusalError `webhooks_not_configured`, `deadline_in_past` or `invalid_request`
 */
export function checkSubscribe(
  request: SubscribeRequest,
  { subscriptions }: ServerConfig,
  now: number,
): void {
  if (subscriptions.secrets === undefined) {
    throw refused('webhooks_not_configured', 'Nothing could be signed that is posted to it.', {
      accepted: 'a server whose configuration has subscriptions.secrets',
    });
  }
  if (request.intent_id !== undefined && request.portfolio_id !== undefined) {
    throw refused('invalid_request', 'A subscription is for an intent or for a portfolio.', {
      field: 'portfolio_id',
      accepted: 'one of intent_id and portfolio_id, or neither for all intents',
    });
  }
  if (request.expires_at !== undefined) checkEnd(toMillis(request.expires_at), now);
  if (request.webhook_url.startsWith('http:') && !subscriptions.allow_private_network) {
    throw refused('invalid_request', 'Nothing is posted without TLS.', {
      field: 'webhook_url',
      accepted: 'an https:// URL',
    });
  }
}

/** The end of a subscription: to come, and within what a timer can hold. */
function checkEnd(end: number, now: number): void {
  const field = 'expires_at';
  if (end <= now) {
    const accepted = 'an instant to come';
    throw refused('deadline_in_past', 'The subscription would be over already.', {
      field,
      accepted,
    });
  }
  if (end - now <= LIMITS.windowSeconds * 1_000) return;
  const accepted = `an instant within ${LIMITS.windowSeconds} seconds`;
  throw refused('invalid_request', 'The subscription would be too long.', { field, accepted });
}

interface Deps {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly temporal: Pick<Temporal, 'start' | 'query' | 'signal'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getPortfolio: GetPortfolio;
  readonly fromStore: FromStore;
}

/**
 * Webhook subscriptions: each is a workflow, and a row of the store as far as it is read. Lists are `stale` where
 * the store does not show within 2 s what was subscribed or ended here. Throws what `checkSubscribe` throws,
 * `intent_not_found` and `portfolio_not_found` with the field, `subscription_not_found`, `forbidden`, and
 * `workflow_unavailable`, also where an end is not stored in time: what was asked for may then happen all the same.
 */
export function createSubscriptions(deps: Deps) {
  const { config, clock, temporal, reads, getPortfolio, fromStore } = deps;
  const written = new ReadYourWrites<'begun' | 'over'>(deps, {
    missing: (wanted) => notShown(fromStore, wanted),
  });

  return {
    async subscribe(caller: Caller, request: SubscribeRequest): Promise<Subscription> {
      checkSubscribe(request, config, clock.now());
      if (request.intent_id !== undefined) {
        await referenced('intent_id', reads.getIntent(request.intent_id));
      }
      if (request.portfolio_id !== undefined) {
        await referenced('portfolio_id', getPortfolio(request.portfolio_id));
      }
      const after = await fromStore(feedEnd);
      const subscription = subscriptionOf(caller, request, toInstant(clock.now()));
      const input: SubscriptionInput = { subscription, sees_all: mayAnswer(caller), after };
      const { id, subscriber_id } = subscription;
      await temporal.start('subscription', {
        workflowId: workflowIdOf('subscription', id),
        input,
        summary: `events for ${subscriber_id}`,
        attributes: [],
      });
      written.touch(id, 'begun');
      await written.catchUp();
      return subscription;
    },
    /** Every subscription for who may answer, its own for an agent. */
    async listSubscriptions(
      caller: Caller,
      page: Omit<SubscriptionPage, 'created_by'>,
    ): Promise<Read<readonly Subscription[]>> {
      const own = mayAnswer(caller) ? {} : { created_by: caller.principal };
      const caughtUp = await written.catchUp();
      const value = await fromStore(listSubscriptions, { ...page, ...own });
      return { value, stale: !caughtUp };
    },
    async unsubscribe(caller: Caller, id: string): Promise<Subscription> {
      const found = await find(deps, id);
      if (found.created_by !== caller.principal && !caller.roles.has('admin')) {
        throw refused('forbidden', 'Only who created the subscription, or an admin, may end it.');
      }
      if (!found.active) return found;
      written.touch(id, 'over');
      await temporal.signal(workflowIdOf('subscription', id), endSubscriptionSignal, []);
      await written.catchUp();
      const now = await fromStore(findSubscription, id);
      if (now?.active !== false) throw writeUnavailable();
      return now;
    },
  };
}

/** A subscription of which the store knows nothing yet is asked itself. */
async function find({ temporal, fromStore }: Deps, id: string): Promise<Subscription> {
  if (!isEntityId(id)) throw subscriptionNotFound();
  const row = await fromStore(findSubscription, id);
  if (row !== undefined) return row;
  const asked = await temporal.query(workflowIdOf('subscription', id), subscriptionQuery);
  if (asked.kind === 'done') return asked.value;
  throw asked.kind === 'gone' ? subscriptionNotFound() : readUnavailable();
}

function subscriptionNotFound(): RefusalError {
  return refused('subscription_not_found', 'No subscription has this id.');
}

/** The ids of what the store does not show as it was written. */
async function notShown(
  fromStore: FromStore,
  wanted: ReadonlyMap<string, 'begun' | 'over'>,
): Promise<readonly string[]> {
  const looks = [...wanted].map(async ([id, want]) => {
    const found = await fromStore(findSubscription, id);
    const isShown = want === 'begun' ? found !== undefined : found?.active === false;
    return isShown ? [] : [id];
  });
  return (await Promise.all(looks)).flat();
}
