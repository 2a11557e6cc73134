import type { Client } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import { RefusalError } from '../../errors.js';
import { DeadlinePassed, WRITE_MS, inScope, patiently, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { WorkerSilence, classify, isPassing } from './failures.js';
import type { Gate } from './queues.js';

/** How an Update ended. Refusals are thrown. */
export type UpdateOutcome<R> =
  | { readonly kind: 'done'; readonly value: R }
  | { readonly kind: 'closed_or_missing' }
  /** Nobody took it in time. It may still run later: Temporal keeps it for the next worker. */
  | { readonly kind: 'no_worker' };

export interface Updates {
  /**
   * Sends an Update through the workflow's gate and waits for its result, 10 s in all. What passes
   * (`moving`, a run that closes, an overloaded or absent server) is tried again under the same
   * update id, so nothing doubles within a run. Throws RefusalError where the workflow refuses.
   */
  send<R, A>(
    workflowId: string,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
    updateId?: string,
  ): Promise<UpdateOutcome<R>>;
}

async function outcomeOf<R>(result: Promise<R>): Promise<UpdateOutcome<R>> {
  try {
    return { kind: 'done', value: await result };
  } catch (error) {
    if (error instanceof DeadlinePassed) return { kind: 'no_worker' };
    const failure = classify(error);
    if (failure.kind === 'closed_or_missing') return failure;
    throw failure.kind === 'refused' ? new RefusalError(failure.refusal, { cause: error }) : error;
  }
}

/** Updates over a Temporal client. */
export function createUpdates(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
  gate: Gate,
  workerSilence = new WorkerSilence(),
): Updates {
  return {
    async send(workflowId, definition, argument, updateId = randomUUID()) {
      const began = clock.now();
      const handle = client.workflow.getHandle(workflowId);
      const execute = () => handle.executeUpdate(definition, { args: [argument], updateId });
      const result = withinDeadline(clock, WRITE_MS, (scope) =>
        gate.run(workflowId, scope.signal, () =>
          patiently(clock, scope, isPassing, () => inScope(client, scope, execute)),
        ),
      );
      const outcome = await outcomeOf(result);
      if (outcome.kind === 'no_worker') workerSilence.note(began);
      return outcome;
    },
  };
}
