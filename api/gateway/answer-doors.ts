import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../../contracts/constants/names.js';
import {
  operatorResponseSignal,
  respondUpdate,
  type OperatorAnswer,
  type RespondReceipt,
} from '../../workflows/suspension/messages.js';
import type { Clock } from './clock.js';
import { DeadlinePassed, inScope, withinDeadline } from './deadline.js';
import { classify, isPassing } from './failures.js';
import { patiently } from './patience.js';
import { writeUnavailable } from './refusals.js';
import type { Updates } from './updates.js';

const SIGNAL_DEADLINE_MS = 5_000;

/** Where an answer has come to. */
export type Delivered =
  | { readonly kind: 'done'; readonly value: RespondReceipt }
  /** In Temporal's history; a worker will judge it. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'closed_or_missing' };

/** Takes an answer to a suspension; refusals are thrown. */
export type Deliver = (suspensionId: string, answer: OperatorAnswer) => Promise<Delivered>;

/**
 * The suspension's two doors. The Update judges the answer at once; where no worker takes it within
 * 10 s, the Signal carries the same answer under the same key, so that both count once (design §5).
 * Throws `workflow_unavailable` where Temporal takes neither.
 */
export function createDeliver(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
  updates: Updates,
): Deliver {
  async function handOver(workflowId: string, answer: OperatorAnswer): Promise<Delivered> {
    const handle = client.workflow.getHandle(workflowId);
    const signal = () => handle.signal(operatorResponseSignal, answer);
    try {
      await withinDeadline(clock, SIGNAL_DEADLINE_MS, (scope) =>
        patiently(clock, scope, isPassing, () => inScope(client, scope, signal)),
      );
      return { kind: 'handed_over' };
    } catch (error) {
      if (error instanceof DeadlinePassed) throw writeUnavailable();
      const { kind } = classify(error);
      if (kind === 'closed_or_missing') return { kind };
      throw error;
    }
  }

  return async (suspensionId, answer) => {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const sent = await updates.send(workflowId, respondUpdate, answer, answer.answer.key);
    return sent.kind === 'no_worker' ? handOver(workflowId, answer) : sent;
  };
}
