import type { Intent } from '../../../contracts/intent/intent.js';
import { addDependencyUpdate, removeDependencyUpdate } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { referenced, refused } from '../../parts/refusals.js';
import { written } from '../intent/written.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { intentFor } from '../visibility.js';

const DEPENDENCY_WRITE = [
  'intent_not_found',
  'version_conflict',
  'intent_closed',
  ...WRITE,
] as const;

/** Throws `store_unavailable` if the edge could not be checked. */
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
    // Its own edges have to be in the store before one that leads to it is checked.
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
