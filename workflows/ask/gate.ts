import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  WorkflowIdReusePolicy,
  condition,
  log,
  proxyActivities,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { PickUpRequest } from '../../contracts/approval/by-name.js';
import type { Redeemed } from '../../contracts/approval/requests.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isEntityId, workflowIdOf } from '../../contracts/constants/names.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { warningsIn } from '../../domain/approval/asking/approver-people.js';
import { cutTo } from '../../domain/kernel/text.js';
import { decidedSignal, tellSignal, type ApprovalInput } from '../approval/messages.js';
import { startApproval } from '../approval/start.js';
import { failureOf } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { BY_HOLDPOINT, refusalOrResult } from '../human/by-holdpoint.js';
import { checkSpace } from '../human/request-input.js';
import { pausesBetweenLooks } from '../suspension/watch.js';
import { readArgument, startGuard, type ByName } from './asker.js';

const { prepareApproval, pickUpCall } =
  proxyActivities<Pick<Activities, 'prepareApproval' | 'pickUpCall'>>(BY_HOLDPOINT);

/**
 * Has people approve one tool call of a workflow in any language, which starts this type as a child by its name, with the argument
 * `GateArgument`, and returns what `redeem` does: the call to run, with its idempotency key. Fails with the type
 * `approval_decided` if it may not run, or with the code of what is wrong with the argument. An approval that nobody has decided is
 * withdrawn when this workflow or its parent ends; see docs/temporal.md.
 */
export async function gate(argument: unknown): Promise<Redeemed> {
  let isDecided = false;
  setHandler(decidedSignal, () => {
    isDecided = true;
  });
  const asked = readArgument(argument, ['approval_id', 'intent_id', 'checkpoint']);
  const approval_id = asked.keyed_id ?? uuid4();
  const { asker, space } = asked;
  const workflow_id = workflowIdOf('approval', approval_id, space);
  if (asked.keyed_id !== undefined) await startGuard({ asker, workflow_id, kind: 'approval' });
  const isNew = await opens(approval_id, asked, () => {
    isDecided = true;
  });
  if (isNew) await condition(() => isDecided);
  else await decidedElsewhere(workflow_id, () => isDecided);
  return pickUp({ approval_id, space, holder: asker.workflowId });
}

/** Waits for an approval that another workflow has opened. If it is ended in Temporal, nobody tells, so this looks again. */
async function decidedElsewhere(approval: string, isDecided: () => boolean): Promise<void> {
  for (const pause of pausesBetweenLooks()) {
    const isThere = await trySignal(approval, tellSignal, workflowInfo().workflowId);
    if (!isThere || (await condition(isDecided, pause))) return;
  }
}

/**
 * Opens the approval; false if it is there already.
 *
 * @param ended - called when its workflow has ended
 */
async function opens(approval_id: string, asked: ByName, ended: () => void): Promise<boolean> {
  const { asker, space, body, keyed_id } = asked;
  const { workflowId } = workflowInfo();
  const { agent = cutTo(asker.workflowId, LIMITS.nameCharacters), ...rest } = body;
  const { opening, asked_at, log_key, within_seconds } = await refusalOrResult(
    prepareApproval.executeWithOptions({ summary: 'check the call' }, [
      { ...rest, agent, approval_id },
      space,
    ]),
  );
  for (const warning of opening.plan ? warningsIn(opening.plan) : []) {
    log.warn('gate_warning', { warning });
  }
  const asked_by = opening.proposal.agent;
  const input: ApprovalInput = {
    ...opening,
    asked_by,
    ...(asked_by !== asker.workflowId && { asked_as: asker.workflowId }),
    asked_at,
    log_key,
    intent_id: null,
    redeemable: { within_seconds },
    tells: workflowId,
  };
  const workflowIdReusePolicy = WorkflowIdReusePolicy.REJECT_DUPLICATE;
  const whenParentEnds = keyed_id === undefined ? 'REQUEST_CANCEL' : 'ABANDON';
  try {
    // The guard decides whether one with a key is withdrawn.
    const child = await CancellationScope.nonCancellable(() =>
      startApproval(input, space, whenParentEnds, { workflowIdReusePolicy }),
    );
    child.result().then(ended, ended);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/**
 * Notes what a call returned that `gate` has redeemed, and returns that with the call. The first result counts: a repeated one
 * changes nothing, and gets the first.
 *
 * @param key - the `idempotency_key` that `gate` returned
 */
export async function complete(
  key: unknown,
  result: JsonValue = null,
  space: unknown = DEFAULT_SPACE,
): Promise<Redeemed> {
  checkSpace(space);
  const end = typeof key === 'string' ? key.indexOf(':') : -1;
  const [approval_id, call_id] =
    typeof key === 'string' ? [key.slice(0, end), key.slice(end + 1)] : ['', ''];
  if (!isEntityId(approval_id) || call_id === '') {
    throw failureOf({
      code: 'invalid_request',
      detail: 'The key is none that gate has returned.',
      field: 'key',
      accepted: 'the idempotency_key of a redeemed call',
    });
  }
  const { workflowId: holder } = workflowInfo().parent ?? workflowInfo();
  return pickUp({ approval_id, space, holder, call_id, result });
}

function pickUp(request: PickUpRequest): Promise<Redeemed> {
  const summary = request.result === undefined ? 'redeem the call' : 'note its result';
  return refusalOrResult(pickUpCall.executeWithOptions({ summary }, [request]));
}
