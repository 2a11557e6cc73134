import type { Blocked, SuspensionView } from '../../../contracts/suspension/view.js';
import {
  checkReadsOthers,
  isConcerned,
  waitsFor,
} from '../../../domain/suspension/people/rights.js';
import type { Action } from '../../../domain/policy/rules.js';
import { listBlocked } from '../../../store/queries/blocks.js';
import { demand } from '../../errors.js';
import type { Read } from '../../parts/caller.js';
import { readAfter } from '../../parts/reads/from-store.js';
import { READ, useCase, type Call } from '../usecase.js';
import { readable, readerFor } from '../visibility.js';

export const getSuspension = useCase({
  name: 'getSuspension',
  resource: 'suspension',
  refusals: READ,
  async run(call: Call, id: string): Promise<Read<SuspensionView>> {
    const { parts, caller } = call;
    const read = await concerning(call, 'getSuspension', parts.reads.getSuspension(id));
    if (waitsFor(caller, read.value)) parts.seen(id);
    return read;
  },
});

/** Lists what waits for the answer, if the caller may read it. */
export const getBlocks = useCase({
  name: 'getBlocks',
  resource: 'suspension',
  refusals: READ,
  async run(call: Call, id: string): Promise<Read<readonly Blocked[]>> {
    const { fromStore, reads, settlements } = call.parts;
    await concerning(call, 'getBlocks', reads.getSuspension(id));
    return readAfter(settlements.catchUp(), () => fromStore(listBlocked, id, readerFor(call)));
  },
});

/** Returns a question to its asker, to those who may settle it, and to readers of its intent. Throws `forbidden`. */
export async function concerning(
  call: Call,
  action: Action,
  reading: Promise<Read<SuspensionView>>,
): Promise<Read<SuspensionView>> {
  const read = await reading;
  if (isConcerned(call.caller, read.value)) return read;
  if (read.value.intent_id === null) demand(checkReadsOthers(readerFor(call)));
  return readable(call, action, Promise.resolve(read));
}
