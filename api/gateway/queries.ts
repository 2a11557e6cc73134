import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import type { Clock } from './clock.js';
import { DeadlinePassed, inScope, withinDeadline } from './deadline.js';
import { classify, isBusy } from './failures.js';
import { Gate } from './gate.js';
import { patiently } from './patience.js';
import { Rounds } from './rounds.js';
import { Unanswered } from './unanswered.js';

const DEADLINE_MS = 2_000;

/** How a Query ended. */
export type QueryOutcome<R> =
  | { readonly kind: 'found'; readonly value: R }
  /** Temporal knows no such workflow, or no longer. */
  | { readonly kind: 'missing' }
  /** No worker (or no Temporal) answered in time. */
  | { readonly kind: 'no_answer' };

/** Asks a workflow, open or closed, and waits at most 2 s. */
export type Ask = <R>(
  workflowId: string,
  definition: QueryDefinition<R>,
) => Promise<QueryOutcome<R>>;

/**
 * Queries over a Temporal client, one at a time for each workflow; who asks the same meanwhile shares
 * the next. Throws what is neither a missing workflow nor a passing failure.
 */
export function createAsk(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
  unanswered = new Unanswered(),
): Ask {
  const gate = new Gate(1);
  const rounds = new Rounds();

  async function query<R>(workflowId: string, definition: QueryDefinition<R>): Promise<R> {
    const handle = client.workflow.getHandle(workflowId);
    return withinDeadline(clock, DEADLINE_MS, (scope) =>
      gate.run(workflowId, scope.signal, () =>
        patiently(clock, scope, isBusy, () =>
          inScope(client, scope, () => handle.query(definition)),
        ),
      ),
    );
  }

  return async (workflowId, definition) => {
    const key = `${workflowId} ${definition.name}`;
    const began = clock.now();
    const ask = () => rounds.join(key, () => query(workflowId, definition));
    try {
      return { kind: 'found', value: await withinDeadline(clock, DEADLINE_MS, ask) };
    } catch (error) {
      if (error instanceof DeadlinePassed) {
        unanswered.note(began);
        return { kind: 'no_answer' };
      }
      const { kind } = classify(error);
      if (kind === 'closed_or_missing') return { kind: 'missing' };
      if (kind === 'passing') return { kind: 'no_answer' };
      throw error;
    }
  };
}
