import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Subscription } from '../../../contracts/subscription/subscription.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import {
  findSubscription,
  listSubscriptions as stored,
} from '../../../store/queries/subscription.js';
import type { SubscriptionPage } from '../../../store/queries/subscription.js';
import {
  endSubscriptionSignal,
  subscriptionQuery,
} from '../../../workflows/subscription/messages.js';
import { demand } from '../../errors.js';
import { demandKept } from '../../parts/calls/live.js';
import { proven } from '../../parts/caller.js';
import type { Listed } from '../../parts/caller.js';
import { listAfter } from '../../parts/reads/from-store.js';
import {
  demandEntityId,
  notFound,
  readUnavailable,
  writeUnavailable,
} from '../../parts/refusals.js';
import { READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/**
 * Every subscription for callers who may answer, its own for an agent. The list is `stale` where the store does not show within
 * 2 s what was subscribed or ended here.
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

/** By whoever created it, or an admin. Throws `workflow_unavailable` if its end is not stored in time: it may still end. */
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

/** A subscription as its row has it; if the store does not know it yet, its workflow is asked. Throws `subscription_not_found`. */
export async function findSubscribed({ parts }: Call, id: string): Promise<Subscription> {
  const { temporal, fromStore } = parts;
  demandEntityId('subscription', id);
  const row = await fromStore(findSubscription, id);
  if (row !== undefined) return row;
  await demandKept(fromStore, 'subscription', id);
  const asked = await temporal.query(workflowIdOf('subscription', id), subscriptionQuery);
  if (asked.kind === 'done') return asked.value;
  throw asked.kind === 'gone' ? notFound('subscription') : readUnavailable();
}
