import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ServerConfig } from '../../contracts/config.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Subscription } from '../../contracts/subscription.js';
import { toInstant } from '../../domain/time.js';
import {
  endSubscriptionSignal,
  subscriptionQuery,
  type SubscriptionInput,
} from '../../workflows/subscription/messages.js';
import type { RefusalError } from '../errors.js';
import { Awaited } from './awaited.js';
import type { Clock } from './clock.js';
import { DeadlinePassed, inScope, withinDeadline, WRITE_MS } from './deadline.js';
import { isPassing } from './failures.js';
import { isEntityId } from './ids.js';
import { mayAnswer } from './may-answer.js';
import { named } from './named.js';
import { patiently } from './patience.js';
import type { Ask } from './queries.js';
import { readUnavailable, refused, writeUnavailable } from './refusals.js';
import type { Start } from './starts.js';
import type { FromStore } from './store-reads.js';
import { checkSubscribe, subscriptionOf } from './subscribe-requests.js';
import type { Gateway } from './types.js';

interface Deps {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly start: Start;
  readonly ask: Ask;
  readonly reads: Pick<Gateway, 'getIntent'>;
  readonly getPortfolio: Gateway['getPortfolio'];
  readonly fromStore: FromStore;
}
type Methods = Pick<Gateway, 'subscribe' | 'listSubscriptions' | 'unsubscribe'>;

/**
 * Webhook subscriptions: each is a workflow, and a row of the store as far as it is read. Lists are `stale` where
 * the store does not show within 2 s what was subscribed or ended here. Throws what `checkSubscribe` throws,
 * `intent_not_found` and `portfolio_not_found` with the field, `subscription_not_found`, `forbidden`, and
 * `workflow_unavailable`, also where an end is not stored in time: what was asked for may then happen all the same.
 */
export function createSubscriptions(deps: Deps): Methods {
  const { config, clock, start, reads, getPortfolio, fromStore } = deps;
  const written = new Awaited<'begun' | 'over'>(clock, (wanted) => notShown(fromStore, wanted));

  return {
    async subscribe(caller, request) {
      checkSubscribe(request, config, clock.now());
      if (request.intent_id !== undefined) {
        await named('intent_id', reads.getIntent(request.intent_id));
      }
      if (request.portfolio_id !== undefined) {
        await named('portfolio_id', getPortfolio(request.portfolio_id));
      }
      const after = await fromStore((store) => store.feedEnd());
      const subscription = subscriptionOf(caller, request, toInstant(clock.now()));
      const input: SubscriptionInput = { subscription, sees_all: mayAnswer(caller), after };
      const { id, subscriber_id } = subscription;
      await start('subscription', {
        workflowId: workflowIdOf('subscription', id),
        input,
        summary: `events for ${subscriber_id}`,
        attributes: [],
      });
      written.touch(id, 'begun');
      await written.catchUp();
      return subscription;
    },
    async listSubscriptions({ principal, roles }, page) {
      const own = mayAnswer({ principal, roles }) ? {} : { created_by: principal };
      const caughtUp = await written.catchUp();
      const value = await fromStore((store) => store.listSubscriptions({ ...page, ...own }));
      return { value, stale: !caughtUp };
    },
    async unsubscribe(caller, id) {
      const found = await find(deps, id);
      if (found.created_by !== caller.principal && !caller.roles.has('admin')) {
        throw refused('forbidden', 'Only who created the subscription, or an admin, may end it.');
      }
      if (!found.active) return found;
      written.touch(id, 'over');
      await signalEnd(deps, id);
      await written.catchUp();
      const now = await fromStore((store) => store.findSubscription(id));
      if (now?.active !== false) throw writeUnavailable();
      return now;
    },
  };
}

/** A subscription of which the store knows nothing yet is asked itself. */
async function find({ ask, fromStore }: Deps, id: string): Promise<Subscription> {
  if (!isEntityId(id)) throw subscriptionNotFound();
  const row = await fromStore((store) => store.findSubscription(id));
  if (row !== undefined) return row;
  const asked = await ask(workflowIdOf('subscription', id), subscriptionQuery);
  if (asked.kind === 'found') return asked.value;
  throw asked.kind === 'missing' ? subscriptionNotFound() : readUnavailable();
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
    const found = await fromStore((store) => store.findSubscription(id));
    const isShown = want === 'begun' ? found !== undefined : found?.active === false;
    return isShown ? [] : [id];
  });
  return (await Promise.all(looks)).flat();
}

async function signalEnd({ client, clock }: Deps, id: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowIdOf('subscription', id));
  const signal = () => handle.signal(endSubscriptionSignal);
  try {
    await withinDeadline(clock, WRITE_MS, (scope) =>
      patiently(clock, scope, isPassing, () => inScope(client, scope, signal)),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    throw error instanceof DeadlinePassed ? writeUnavailable() : error;
  }
}
