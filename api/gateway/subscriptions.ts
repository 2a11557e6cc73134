import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ServerConfig } from '../../contracts/config.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Subscription } from '../../contracts/subscription.js';
import { toInstant } from '../../domain/time.js';
import {
  endSubscriptionSignal,
  type SubscriptionInput,
} from '../../workflows/subscription/messages.js';
import type { Clock } from './clock.js';
import { DeadlinePassed, inScope, withinDeadline, WRITE_MS } from './deadline.js';
import { isPassing } from './failures.js';
import { mayAnswer } from './may-answer.js';
import { named } from './named.js';
import { patiently } from './patience.js';
import type { Reads } from './reads.js';
import { refused, writeUnavailable } from './refusals.js';
import type { Start } from './starts.js';
import type { FromStore } from './store-reads.js';
import { checkSubscribe, subscriptionOf } from './subscribe-requests.js';
import type { Gateway } from './types.js';

const STORED_MS = 2_000;
const LOOK_MS = 25;

interface Deps {
  readonly client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly start: Start;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly fromStore: FromStore;
}
type Methods = Pick<Gateway, 'subscribe' | 'listSubscriptions' | 'unsubscribe'>;

/**
 * Webhook subscriptions: each is a workflow, and a row of the store as far as it is read. Throws what
 * `checkSubscribe` throws, `intent_not_found`, `subscription_not_found`, `forbidden`, and
 * `workflow_unavailable`: what was asked for may then happen all the same.
 */
export function createSubscriptions(deps: Deps): Methods {
  const { config, clock, start, reads, fromStore } = deps;

  return {
    async subscribe(caller, request) {
      checkSubscribe(request, config, clock.now());
      if (request.intent_id !== undefined) {
        await named('intent_id', reads.getIntent(request.intent_id));
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
      await stored(deps, id, (found) => found !== undefined);
      return subscription;
    },
    listSubscriptions({ principal, roles }, page) {
      const own = mayAnswer({ principal, roles }) ? {} : { created_by: principal };
      return fromStore((store) => store.listSubscriptions({ ...page, ...own }));
    },
    async unsubscribe(caller, id) {
      const found = await fromStore((store) => store.findSubscription(id));
      if (found === undefined)
        throw refused('subscription_not_found', 'No subscription has this id.');
      if (found.created_by !== caller.principal && !caller.roles.has('admin')) {
        throw refused('forbidden', 'Only who created the subscription, or an admin, may end it.');
      }
      if (!found.active) return found;
      await signalEnd(deps, id);
      return (await stored(deps, id, (now) => now?.active === false)) ?? found;
    },
  };
}

/** Waits, at most 2 s, until the store shows it; what it shows then. */
async function stored(
  { clock, fromStore }: Deps,
  id: string,
  isThere: (found: Subscription | undefined) => boolean,
): Promise<Subscription | undefined> {
  const until = clock.now() + STORED_MS;
  for (;;) {
    const found = await fromStore((store) => store.findSubscription(id));
    if (isThere(found) || clock.now() >= until) return found;
    await clock.sleep(LOOK_MS, new AbortController().signal);
  }
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
