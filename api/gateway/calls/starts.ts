import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { QueryDefinition, SearchAttributePair } from '@temporalio/common';
import { TASK_QUEUE, WORKFLOW_TYPES } from '../../../contracts/constants/names.js';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { summaryOf } from '../../../domain/kernel/text.js';
import { refusalOf } from '../../errors.js';
import { idempotencyKeyReused, writeUnavailable } from '../refusals.js';
import { DeadlinePassed, WRITE_MS, inScope, patiently, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import { isPassing } from './failures.js';
import type { Ask } from './queries.js';

/** A workflow to be started under an id that no other has, or had for as long as Temporal keeps it. */
interface Opening {
  readonly workflowId: string;
  readonly input: object;
  /** What people read in the Temporal UI; shortened to fit. */
  readonly summary: string;
  readonly attributes: SearchAttributePair[];
}

/** Starts a workflow on Holdpoint's task queue. */
export type Start = (type: WorkflowType, opening: Opening) => Promise<'started' | 'exists'>;

/** Throws `workflow_unavailable` after 10 s; the workflow may then exist all the same. */
export function createStart(
  client: Pick<Client, 'workflow' | 'withDeadline' | 'withAbortSignal'>,
  clock: Clock,
): Start {
  return async (type, { workflowId, input, summary, attributes }) => {
    const options = {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
      staticSummary: summaryOf(summary),
      typedSearchAttributes: attributes,
    };
    const start = () => client.workflow.start(WORKFLOW_TYPES[type], options);
    try {
      await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isPassing, () => inScope(client, scope, start)),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}

/** What a workflow tells of how it was created. */
interface Created {
  readonly creation_hash?: string;
}

/** Where what a request creates is found again; `hash` is that of its body, where it has a key. */
interface EarlierCreation<C extends Created> {
  readonly workflowId: string;
  readonly query: QueryDefinition<C>;
  readonly hash: string | undefined;
}

/** A body as it is compared under its key; what was left out and what is undefined are the same. */
export function hashOfBody(body: object): string {
  return hashJson(JSON.parse(JSON.stringify(body)) as JsonObject);
}

/**
 * Creates something, or gives what the same key and body created before: what refuses the request by now
 * does not refuse its repeat. Throws what `create` throws, `idempotency_key_reused`, and
 * `workflow_unavailable` where nobody can tell whether it is there.
 *
 * @param create - resolves to `exists` where the workflow was there before
 */
export async function createOnce<C extends Created, T>(
  ask: Ask,
  place: EarlierCreation<C>,
  create: () => Promise<T | 'exists'>,
  viewOf: (created: C) => T | Promise<T>,
): Promise<T> {
  const created = await create().catch(async (error: unknown) => {
    if (place.hash === undefined || refusalOf(error) === undefined) throw error;
    const first = await find(ask, place);
    if (first === undefined) throw error;
    return viewOf(first);
  });
  if (created !== 'exists') return created;
  const first = await find(ask, place);
  if (first === undefined) throw writeUnavailable();
  return viewOf(first);
}

async function find<C extends Created>(
  ask: Ask,
  { workflowId, query, hash }: EarlierCreation<C>,
): Promise<C | undefined> {
  const asked = await ask(workflowId, query);
  if (asked.kind === 'missing') return undefined;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  if (asked.value.creation_hash !== hash) throw idempotencyKeyReused();
  return asked.value;
}
