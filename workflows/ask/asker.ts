import {
  CancellationScope,
  ParentClosePolicy,
  condition,
  isCancellation,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { hashJson, uuidFrom } from '../../domain/kernel/hashing.js';
import { withdrawApprovalSignal } from '../approval/messages.js';
import { failureOf } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { BY_HOLDPOINT } from '../human/by-holdpoint.js';
import { splitOptions } from '../human/request-input.js';
import type { InputOptions } from '../human/hooks.js';
import { withdrawSignal } from '../suspension/messages.js';

/** The run for which people are asked: the parent of this workflow, or this workflow itself if it has none. */
export interface Asker {
  readonly workflowId: string;
  readonly runId: string;
}

/** The argument of a workflow that is started by its name. */
export interface ByName {
  readonly asker: Asker;
  readonly space: string;
  readonly body: JsonObject;
  /** The id that the same argument of the same asker finds again; only with a `request_key`. */
  readonly keyed_id?: string;
}

/**
 * Reads the argument of a workflow type. An activity checks its body. Throws an ApplicationFailure `invalid_request`, or
 * `body_too_large` as HTTP does.
 *
 * @param foreign - fields that the activity would take, and that only Holdpoint itself may set
 */
export function readArgument(argument: unknown, foreign: readonly string[]): ByName {
  const { question, hooks, space } = splitOptions(argument as InputOptions);
  const { request_key: key, ...body } = question;
  for (const field of ['hooks', ...foreign]) {
    const isThere = field === 'hooks' ? Object.keys(hooks).length > 0 : Object.hasOwn(body, field);
    if (isThere) throw notTaken(field, `no ${field}`);
  }
  const { workflowId, runId } = workflowInfo().parent ?? workflowInfo();
  const read = { asker: { workflowId, runId }, space, body };
  if (key === undefined || key === null) return read;
  if (typeof key !== 'string' || key === '' || key.length > LIMITS.nameCharacters) {
    throw notTaken('request_key', `a text of 1 to ${LIMITS.nameCharacters} characters`);
  }
  const { workflowType: type } = workflowInfo();
  return { ...read, keyed_id: uuidFrom(hashJson({ type, space, asker: workflowId, key, body })) };
}

function notTaken(field: string, accepted: string) {
  const { workflowType } = workflowInfo();
  const detail = `The argument of ${workflowType} takes ${accepted}.`;
  return failureOf({ code: 'invalid_request', detail, field, accepted });
}

interface Guarded {
  readonly asker: Asker;
  /** The workflow of the question or the approval. */
  readonly workflow_id: string;
  readonly kind: 'question' | 'approval';
}

/** Starts the guard of what has a key. */
export async function startGuard(guarded: Guarded): Promise<void> {
  await startChild(askGuard, {
    args: [guarded],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  });
}

const { goesOn } = proxyActivities<Pick<Activities, 'goesOn'>>({
  ...BY_HOLDPOINT,
  summary: 'look whether the asker goes on',
});

const MINUTE_MS = 60_000;
/** How often a guard looks again; each pause is twice as long, so the last look is after 17 hours. */
const LOOKS = 10;

/**
 * Waits as the child of a workflow that asks under a key, and is cancelled when that ends. It withdraws the question or approval
 * once the asker does not go on in another run, which has a guard of its own when it asks again. Too late is no error.
 */
export async function askGuard({ asker, workflow_id, kind }: Guarded): Promise<void> {
  try {
    await condition(() => false);
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
  await CancellationScope.nonCancellable(async () => {
    const { workflowId, runId } = asker;
    for (let looks = 0; await goesOn(workflowId, runId); looks += 1) {
      if (looks === LOOKS) return;
      await sleep(MINUTE_MS * 2 ** looks);
    }
    const reason = 'agent_cancelled';
    if (kind === 'approval') await trySignal(workflow_id, withdrawApprovalSignal, reason);
    else {
      const withdrawal = { cancelled_by: workflowId, settled_by: 'agent', reason } as const;
      await trySignal(workflow_id, withdrawSignal, withdrawal);
    }
  });
}
