import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { nextInstant } from '../../domain/suspension/schedule.js';
import { judgeCancel } from '../../domain/suspension/state.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { registerHandlers } from './handlers.js';
import type { SuspensionInput } from './messages.js';
import { Question } from './question.js';
import { now, waitUntil } from '../engine/clock.js';

/**
 * A question that waits for its one answer: it reminds and escalates by its schedule, expires at its
 * deadline, reports to its subject, and returns the settled record (RFC-0025, RFC-0026 §4).
 */
export async function suspension(input: SuspensionInput): Promise<SettledRecord> {
  const cancelRequested = watchCancellation(input.carried);
  return CancellationScope.nonCancellable(async () => {
    const question = new Question(input);
    registerHandlers(question);
    for (;;) {
      question.settleDue(now());
      const record = question.settled;
      if (record) {
        await question.finish();
        await condition(allHandlersFinished);
        return record;
      }
      if (cancelRequested()) withdrawForTemporal(question);
      else if (mustMove(question)) await move(question, input, cancelRequested);
      else await nextTurn(question, input, cancelRequested);
    }
  });
}

/** Waits for an answer, the next instant of the schedule, or a reason to hand over. */
async function nextTurn(
  question: Question,
  input: SuspensionInput,
  cancelRequested: () => boolean,
): Promise<void> {
  const due = nextInstant(input.schedule, now());
  const turned = () => question.settled !== undefined || cancelRequested() || mustMove(question);
  if (due === undefined) {
    await condition(turned);
    return;
  }
  const summary =
    due === input.schedule.expires_at ? 'expires' : `reminder ${question.state.attempt + 1}`;
  await waitUntil(due, turned, summary);
}

/** Time for a new run, once what it would carry fits (design §4, sizes). */
function mustMove(question: Question): boolean {
  return question.length.isLong && jsonBytes(question.carried) <= WORKFLOW_LIMITS.carriedBytes;
}

/** Continues as new. An answer that comes in meanwhile is carried like any other state. */
async function move(
  question: Question,
  input: SuspensionInput,
  cancelRequested: () => boolean,
): Promise<never> {
  question.moving = true;
  await condition(allHandlersFinished);
  await question.windUp();
  await condition(allHandlersFinished);
  const carried = { ...question.carried, ...carriedCancellation(cancelRequested) };
  return continueAsNew<typeof suspension>({ ...input, carried });
}

/** A cancellation requested through Temporal itself is a withdrawal by an administrator. */
function withdrawForTemporal(question: Question): void {
  const reason = 'cancelled through Temporal';
  const cancel = { cancelled_by: 'temporal', settled_by: 'admin', reason } as const;
  const ruling = judgeCancel(question.state, cancel, now());
  if (ruling.ok)
    question.settle(ruling.value.state, 'cancelled', { cancelled_by: 'temporal', reason });
}
