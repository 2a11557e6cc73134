import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { AskReply } from '../../contracts/suspension/by-name.js';
import { askReply } from '../../domain/suspension/record/ask-reply.js';
import { isSettled } from '../../domain/suspension/record/state.js';
import { trySignal } from '../engine/sender.js';
import { BY_HOLDPOINT } from '../human/by-holdpoint.js';
import { endWithoutAnswer } from '../human/errors.js';
import type { InputOptions } from '../human/hooks.js';
import type { SettledInput } from '../human/inbox.js';
import { awaitSettled, openInputAs } from '../human/request-input.js';
import { attachSignal } from '../suspension/messages.js';
import { readArgument, startGuard, type ByName } from './asker.js';

const { settleLost } = proxyActivities<Pick<Activities, 'settleLost'>>({
  ...BY_HOLDPOINT,
  summary: 'look for the question',
});

/**
 * Asks people for a workflow in any language, which starts this type as a child by its name, with the argument `AskArgument`, and
 * returns an `AskReply`. Fails with the types InputTimeoutError and InputCancelledError, or with the code of what is wrong with the
 * argument. The question is withdrawn when this workflow or its parent ends, however that happens; see docs/temporal.md.
 */
export async function ask(argument: unknown): Promise<AskReply> {
  const asked = readArgument(argument, ['asked_by']);
  const settled = await (asked.keyed_id === undefined
    ? settledOnce(asked)
    : settledUnder(asked.keyed_id, asked));
  const reply = askReply(settled.record);
  if (reply === undefined) throw endWithoutAnswer(settled);
  return reply;
}

function optionsOf({ body, space }: ByName): InputOptions {
  return { ...body, space } as unknown as InputOptions;
}

/** Temporal itself withdraws a question that ends with this workflow. */
async function settledOnce(asked: ByName): Promise<SettledInput> {
  const id = await openInputAs(optionsOf(asked), {
    asked_by: asked.asker.workflowId,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  });
  return awaitSettled(id, { space: asked.space });
}

/**
 * Asks the question, or finds it where an earlier run of the asker asked it. It goes on without this workflow, for the next run of
 * the asker to find; the guard withdraws it if there is none.
 */
async function settledUnder(id: string, asked: ByName): Promise<SettledInput> {
  const { asker, space } = asked;
  const known = await settleLost(id, space);
  if (known && isSettled(known.record)) return { record: known.record, attempt: known.attempt };
  const workflow_id = workflowIdOf('suspension', id, space);
  await startGuard({ asker, workflow_id, kind: 'question' });
  if (known || !(await opens(id, asked))) {
    await trySignal(workflow_id, attachSignal, workflowInfo().workflowId);
  }
  const settled = CancellationScope.nonCancellable(() => awaitSettled(id, { space }));
  return Promise.race([settled, CancellationScope.current().cancelRequested]);
}

/** Asks the question; false if it is there already. */
async function opens(id: string, asked: ByName): Promise<boolean> {
  const workflowIdReusePolicy = WorkflowIdReusePolicy.REJECT_DUPLICATE;
  const asked_by = asked.asker.workflowId;
  try {
    await openInputAs(optionsOf(asked), { id, asked_by, workflowIdReusePolicy });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
