import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import { describe, it } from 'mocha';
import {
  cancelUpdate,
  operatorResponseSignal,
  suspensionReportSignal,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import { eventKinds, replay, settledAfter } from '../support/histories.js';
import { patch, writeStatus, type IntentHandle } from '../support/intents.js';
import { LEAVING, openSuspension, respond, type Opened } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { caller } from '../../support/callers.js';

/** A Signal that the workflow takes in without a command. */
type Idle = () => Promise<void>;

/**
 * A worker without a cache gets two tasks that led to no command as one with the next: the message comes before what
 * preceded it. A replay of the whole history gets them apart.
 */
describe('a message that a worker gets with an earlier result', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'dev server', maxCachedWorkflows: 0 });

  /** Has the write that is under way end in the second of two tasks without a command. */
  async function endWriteIdly(
    handle: WorkflowHandle,
    idle: Idle,
    releaseStore: () => void,
  ): Promise<void> {
    const ended = (await eventKinds(handle)).filter((kind) => kind === 'activityTaskCompleted');
    await idle();
    await settledAfter(handle, 'workflowExecutionSignaled', 1);
    releaseStore();
    await settledAfter(handle, 'activityTaskCompleted', ended.length + 1);
  }

  const toIntent: Record<string, (handle: IntentHandle) => Promise<unknown>> = {
    'a patch': (handle) => patch(handle, [{ op: 'set', path: 'order', value: 12 }], 1),
    'a new status': (handle) => writeStatus(handle, 'blocked', { if_match: 1 }),
    'a question': (handle) => world.ask(handle),
  };
  for (const [name, send] of Object.entries(toIntent)) {
    it(`lets an intent replay ${name} that met the end of a write`, async () => {
      const releaseStore = world.activities.holdStore();
      const handle = await world.openIntent();
      await settledAfter(handle, 'workflowTaskCompleted', 1);
      const idle = (): Promise<void> => handle.signal(suspensionReportSignal, {} as never);
      await endWriteIdly(handle, idle, releaseStore);
      await send(handle);
      await assert.doesNotReject(replay(handle));
      await handle.terminate();
    });
  }

  const toSuspension: Record<string, (opened: Opened) => Promise<unknown>> = {
    'an answer': async (opened) => respond(opened, await world.answer(opened.view)),
    'an answer by Signal': async ({ handle, view }) =>
      handle.signal(operatorResponseSignal, await world.answer(view)),
    'a cancellation': ({ handle, view: { intent_id } }) =>
      handle.executeUpdate(cancelUpdate, {
        args: [
          {
            intent_id,
            by: caller('agent-1', 'agent'),
          },
        ],
      }),
  };
  const replayed = [{}, LEAVING].flatMap((input) =>
    Object.entries(toSuspension).map(([name, send]) => ({ name, send, input })),
  );
  for (const { name, send, input } of replayed) {
    const who = input === LEAVING ? 'one that leaves its rows' : 'a suspension';
    it(`lets ${who} replay ${name} that met the end of a write`, async () => {
      const releaseStore = world.activities.holdStore();
      const opened = await openSuspension(world, {}, input);
      const { handle } = opened;
      await settledAfter(handle, 'activityTaskCompleted', 1);
      const idle = (): Promise<void> => handle.signal(withdrawSignal, {} as never);
      await endWriteIdly(handle, idle, releaseStore);
      await send(opened);
      await handle.result();
      await assert.doesNotReject(replay(handle));
    });
  }

  it('keeps the order of a delivery and the answer that a worker gets together', async () => {
    const { activities } = world;
    const { deliver } = activities;
    let delivered = (): void => undefined;
    activities.deliver = (request) =>
      new Promise((resolve) => {
        delivered = () => resolve(deliver(request));
      });
    const opened = await openSuspension(world);
    const { handle } = opened;
    await settledAfter(handle, 'activityTaskCompleted', 1);
    await handle.signal(withdrawSignal, {} as never);
    await settledAfter(handle, 'workflowExecutionSignaled', 1);
    delivered();
    await settledAfter(handle, 'activityTaskCompleted', 2);
    await respond(opened, await world.answer(opened.view));
    await handle.result();
    activities.deliver = deliver;
    await assert.doesNotReject(replay(handle));
    const kinds = activities.timelineOf(opened.id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['opened', 'attempt', 'delivered', 'answer_accepted']);
  });
});
