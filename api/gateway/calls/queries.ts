import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import { refusalOf } from '../../errors.js';
import { readUnavailable, writeUnavailable } from '../refusals.js';
import { DeadlinePassed, WRITE_MS, inScope, patiently, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { WorkerSilence, classify, isBusy } from './failures.js';
import { Gate, Rounds } from './queues.js';

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
  workerSilence = new WorkerSilence(),
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
        workerSilence.note(began);
        return { kind: 'no_answer' };
      }
      const { kind } = classify(error);
      if (kind === 'closed_or_missing') return { kind: 'missing' };
      if (kind === 'passing') return { kind: 'no_answer' };
      throw error;
    }
  };
}

/** Makes a read by id as patient as a write. */
export type Patient = <T>(read: (id: string) => Promise<T>) => (id: string) => Promise<T>;

/**
 * The reads of what a write names. It may have been created a moment ago, by the same request even, so that no
 * worker has taken it up and the store has no copy yet: such a read is made again, 10 s in all, before it
 * throws `workflow_unavailable`. What else a read throws, it throws at once.
 */
export function createPatient(clock: Clock): Patient {
  return (read) => async (id) => {
    try {
      return await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isUnanswered, () => read(id)),
      );
    } catch (error) {
      throw error instanceof DeadlinePassed ? readUnavailable() : error;
    }
  };
}

/** Asks again while nobody answers; throws `workflow_unavailable` where nobody does in 10 s. */
export function patientAsk(ask: Ask, clock: Clock): Ask {
  return async (workflowId, definition) => {
    try {
      return await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isUnanswered, async () => {
          const asked = await ask(workflowId, definition);
          if (asked.kind === 'no_answer') throw readUnavailable();
          return asked;
        }),
      );
    } catch (error) {
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}

function isUnanswered(error: unknown): boolean {
  return refusalOf(error)?.code === 'workflow_unavailable';
}
