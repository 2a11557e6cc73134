import { LIMITS } from '../../../contracts/constants/limits.js';
import type { AggregateStatus, IntentGraph, Relation } from '../../../contracts/graph/graph.js';
import type { Intent, IntentSummary } from '../../../contracts/intent/intent.js';
import { childrenStatus, intentGraph, relatedIntents } from '../../../store/queries/graph.js';
import type { ListedForm, Page, Read } from '../../parts/caller.js';
import { listAfter, readAfter } from '../../parts/reads/from-store.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { intentsFor, readerFor } from '../visibility.js';

/** The intents that are related to an intent, once the store has caught up with what was written here. */
async function relatedTo(
  call: Call,
  relation: Relation,
  intentId: string,
  page: Page,
): Promise<ListedForm<Intent, IntentSummary>> {
  const { reads, consistency, fromStore } = call.parts;
  await reads.getIntent(intentId);
  const list = () => fromStore(relatedIntents, relation, intentId, page, readerFor(call));
  return intentsFor(call, await listAfter(consistency.catchUpAll(), list));
}

/** Children of an intent, and how many of all of them are in which status. */
export interface Children {
  readonly children: ListedForm<Intent, IntentSummary>;
  readonly aggregate_status: AggregateStatus;
}

export const listChildren = useCase({
  name: 'listChildren',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(call: Call, intentId: string, page: Page): Promise<Children> {
    const children = await relatedTo(call, 'children', intentId, page);
    const aggregate_status = await call.parts.fromStore(childrenStatus, intentId, readerFor(call));
    return { children, aggregate_status };
  },
});

export const listRelated = useCase({
  name: 'listRelated',
  resource: 'intent',
  refusals: READ,
  intentIn: (_relation: Relation, intentId: string) => intentId,
  run: relatedTo,
});

/** The intent with all its descendants. */
export const readGraph = useCase({
  name: 'readGraph',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(call: Call, intentId: string): Promise<Read<IntentGraph>> {
    const { reads, consistency, fromStore } = call.parts;
    await reads.getIntent(intentId);
    return readAfter(consistency.catchUpAll(), () =>
      fromStore(intentGraph, intentId, LIMITS.pageSize, readerFor(call)),
    );
  },
});
