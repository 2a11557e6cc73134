import type { Intent, IntentSummary } from '../../../contracts/intent/intent.js';
import { addDependencyUpdate, removeDependencyUpdate } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy, type ListedForm, type Page, type Read } from '../../parts/caller.js';
import { referenced, refused } from '../../parts/refusals.js';
import { written } from '../intent/write.js';
import { FIRST, READ, WRITE, useCase, type Call } from '../usecase.js';
import { intentFor, intentsFor, readerFor } from '../visibility.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { AggregateStatus, IntentGraph, Relation } from '../../../contracts/graph/graph.js';
import { childrenStatus, intentGraph, relatedIntents } from '../../../store/queries/graph.js';
import { listAfter, readAfter } from '../../parts/reads/from-store.js';

const DEPENDENCY_WRITE = [
  'intent_not_found',
  'version_conflict',
  'intent_closed',
  ...WRITE,
] as const;

/** Adds a dependency. Throws `store_unavailable` if the edge could not be checked. */
export const addDependency = useCase({
  name: 'addDependency',
  resource: 'intent',
  refusals: ['dependency_cycle', 'dependency_exists', 'too_many_dependencies', ...DEPENDENCY_WRITE],
  async run(
    call: Call,
    intentId: string,
    if_match: number,
    dependency_id: string,
  ): Promise<Intent> {
    const { caller, parts } = call;
    await referenced('dependency_id', parts.readNamed(caller, dependency_id));
    // The edges of the other intent have to be in the store before an edge to it is checked.
    if ((await parts.consistency.catchUp(dependency_id)) === 'behind') {
      throw refused('store_unavailable', 'The store has not caught up with the dependency.');
    }
    const input = { ...sentBy(caller), if_match, dependency_id };
    const result = demand(await parts.write(intentId, addDependencyUpdate, input));
    return intentFor(caller, await written(call, intentId, result));
  },
});

export const removeDependency = useCase({
  name: 'removeDependency',
  resource: 'intent',
  refusals: DEPENDENCY_WRITE,
  async run(
    call: Call,
    intentId: string,
    if_match: number,
    dependency_id: string,
  ): Promise<Intent> {
    const { caller, parts } = call;
    const input = { ...sentBy(caller), if_match, dependency_id };
    const result = await parts.write(intentId, removeDependencyUpdate, input);
    return intentFor(caller, await written(call, intentId, result));
  },
});

/** Lists the intents that are related to an intent, once the store shows the writes of this replica. */
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

/** Children of an intent, and the number of them in each status. */
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
