import type { UpdateDefinition } from '@temporalio/common';
import type { Caller as Proven } from '../../contracts/people/caller.js';
import { isClosed } from '../../domain/intent/entity.js';
import { createLiveWrite } from './calls/live.js';
import type { Temporal } from './calls/temporal.js';
import type { Reads } from './reads/reads.js';
import { refused, workflowLost } from './refusals.js';

export type IntentWriter = <R, A extends { readonly by: Proven }>(
  id: string,
  definition: UpdateDefinition<R, [A]>,
  argument: A,
) => Promise<R>;

/**
 * Sends every write to an intent, whichever API it comes from. Throws `forbidden` for an agent that may not read the
 * intent, what the intent refuses with, `intent_not_found`, `intent_closed` if it has ended, `workflow_lost` if its
 * workflow was ended from outside, and `workflow_unavailable` without a worker within 10 s: such a write may still be
 * carried out later if its If-Match holds by then.
 */
export function createIntentWriter(
  temporal: Pick<Temporal, 'update'>,
  reads: Pick<Reads, 'getIntent'>,
  demandOwn: (by: Proven, intentId: string) => Promise<void>,
): IntentWriter {
  const write = createLiveWrite(temporal, 'intent', async (id) => {
    const { value } = await reads.getIntent(id);
    const state = { intent_status: value.status, current_version: value.version };
    return isClosed(value.status)
      ? refused('intent_closed', `The intent is ${value.status}.`, { state })
      : workflowLost('intent', state);
  });
  return async (id, definition, argument) => {
    await demandOwn(argument.by, id);
    return write(id, definition, argument);
  };
}
