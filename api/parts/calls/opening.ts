import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import type { SearchAttributePair, UpdateDefinition } from '@temporalio/common';
import { randomUUID } from 'node:crypto';
import {
  TASK_QUEUE,
  WORKFLOW_TYPES,
  inSpaceOf,
  type WorkflowType,
} from '../../../contracts/constants/names.js';
import { summaryOf } from '../../../domain/kernel/text.js';
import { spaceAttribute } from '../../../workflows/engine/search-attributes.js';
import { writeUnavailable } from '../refusals.js';
import type { Place } from './admission.js';
import { callTemporal, type Outcome } from './call.js';
import { DeadlinePassed, READ_MS, WRITE_MS, limitOf } from './deadline.js';
import { isPassing } from './failures.js';
import { carriedOut, inTurn, type To } from './in-turn.js';

/** A workflow to be started under an id that no other has, or had for as long as Temporal keeps it. */
export interface Opening {
  readonly workflowId: string;
  readonly input: object;
  /** The text that people read in the Temporal UI; shortened to fit. */
  readonly summary: string;
  readonly attributes: SearchAttributePair[];
}

/** The memo field that names the request that started a workflow. */
const STARTED_BY = 'started_by';

/**
 * Starts a workflow on Holdpoint's task queue, in its turn. Throws `busy` if it was not admitted, and
 * `workflow_unavailable` 10 s after its admission; the workflow may then exist all the same.
 */
export function createStart({ client, clock, space, admission }: To) {
  return async (type: WorkflowType, opening: Opening): Promise<'started' | 'exists'> => {
    try {
      const rpc = () => client.workflow.start(WORKFLOW_TYPES[type], startOf(opening, space));
      const ms = limitOf(clock, 'servers', WRITE_MS);
      await admission.run(undefined, () =>
        callTemporal(client, clock, { ms, retryOn: isPassing, rpc }),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'exists';
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}

/** The outcome of a start that waits for the first task. */
export type Begun<R> =
  | { readonly kind: 'done'; readonly value: R }
  /** It is started, and no worker has taken its first task yet. */
  | { readonly kind: 'started' }
  /** Another request has started the workflow of this id. */
  | { readonly kind: 'exists' };

/**
 * Starts a workflow, or finds the running one, and waits for an Update in its first task. Without a worker within 8 s
 * the start still counts. It takes one turn of 10 s after its admission. Throws `busy`, and `workflow_unavailable` if
 * the start is unknown.
 */
export function createBegin(to: To) {
  const { client, clock, space, admission } = to;

  /** Starts a workflow that the unanswered Update may have started already. */
  async function startAlone(type: WorkflowType, start: Start): Promise<'started' | 'exists'> {
    try {
      await client.workflow.start(WORKFLOW_TYPES[type], start);
      return 'started';
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const { memo } = await client.workflow.getHandle(start.workflowId).describe();
      return memo?.[STARTED_BY] === start.memo[STARTED_BY] ? 'started' : 'exists';
    }
  }

  async function begin<R>(
    place: Place,
    { type, start }: { readonly type: WorkflowType; readonly start: Start },
    rpc: () => Promise<R>,
  ): Promise<Begun<R>> {
    try {
      const first = await carriedOut(to, place, WRITE_MS - READ_MS, rpc);
      if (first.kind === 'done') return first;
      if (first.kind === 'gone') return { kind: 'exists' };
      const ms = limitOf(clock, 'servers', READ_MS);
      const alone = () => startAlone(type, start);
      return { kind: await callTemporal(client, clock, { ms, retryOn: isPassing, rpc: alone }) };
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'exists' };
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  }

  return async <R, A>(
    type: WorkflowType,
    opening: Opening,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
  ): Promise<Begun<R>> => {
    const start = { ...startOf(opening, space), memo: { [STARTED_BY]: randomUUID() } };
    const rpc = updateWithStart(to, { type, start, definition, argument });
    return admission.run(undefined, (place) => begin(place, { type, start }, rpc));
  };
}

/**
 * Starts a workflow, or finds the running one, and sends it an Update, in one call of 10 s after its admission. It is
 * `gone` if one with this id has ended; after `no_answer` it may exist. Throws `busy`.
 */
export function createOpen(to: To) {
  const { space } = to;
  return async <R, A>(
    type: WorkflowType,
    opening: Opening,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
  ): Promise<Outcome<R>> => {
    const start = startOf(opening, space);
    const rpc = updateWithStart(to, { type, start, definition, argument });
    try {
      return await inTurn(to, { workflowId: start.workflowId, rpc });
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'gone' };
      throw error;
    }
  };
}

interface UpdateWithStart<R, A> {
  readonly type: WorkflowType;
  readonly start: ReturnType<typeof startOf>;
  readonly definition: UpdateDefinition<R, [A]>;
  readonly argument: A;
}

/**
 * Starts a workflow, or finds the running one, and sends it an Update, which is carried out once however often the
 * call is made.
 */
function updateWithStart<R, A>(
  { client }: To,
  { type, start, definition, argument }: UpdateWithStart<R, A>,
): () => Promise<R> {
  const options = { args: [argument] as [A], updateId: randomUUID() };
  const orFind = { ...start, workflowIdConflictPolicy: 'USE_EXISTING' as const };
  return () => {
    const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW_TYPES[type], orFind);
    return client.workflow.executeUpdateWithStart(definition, {
      ...options,
      startWorkflowOperation,
    });
  };
}

type Start = ReturnType<typeof startOf> & { readonly memo: Readonly<Record<string, string>> };

function startOf({ workflowId, input, summary, attributes }: Opening, space: string) {
  return {
    workflowId: inSpaceOf(workflowId, space),
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    staticSummary: summaryOf(summary),
    typedSearchAttributes: [spaceAttribute(space), ...attributes],
  };
}
