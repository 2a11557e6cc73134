import { createdUpdate } from '../../workflows/intent/messages.js';
import { respondUpdate } from '../../workflows/suspension/messages.js';
import { sent } from '../support/callers.js';
import { settledAfter } from '../workflows/support/histories.js';
import { tellOfPlan, writeStatus } from '../workflows/support/intents.js';
import {
  answerAsk,
  writeAskingRecord,
  writeAskingStatus,
} from '../workflows/support/suspensions.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';

const LEFT = { sender_writes: true } as const;

/** Asks as the OpenIntent SDK does; one intent under the id of another's question first. */
async function askedByWrites(world: World) {
  const [first, second] = [await world.openIntent(), await world.openIntent()];
  await writeAskingStatus(first);
  const id = await writeAskingRecord(world, first);
  await writeAskingStatus(second);
  await writeAskingRecord(world, second, { id });
  await writeAskingStatus(second);
  const own = await writeAskingRecord(world, second);
  for (const [handle, question] of [
    [first, id],
    [second, own],
  ] as const) {
    await answerAsk(world, handle, question);
    await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
    await writeStatus(handle, 'completed');
    await handle.result();
  }
  return second;
}

/** Intents that ask with a question id of their own, or whose rows somebody else writes. */
export const INTENT_SCENES: Readonly<Record<string, Scene>> = {
  async 'intent-that-opens-what-started'(world) {
    return { 'intent-that-opens-what-started': await askedByWrites(world) };
  },
  async 'intent-that-leaves-its-rows'(world) {
    const handle = await world.openIntent(LEFT);
    await handle.executeUpdate(createdUpdate, { args: [sent('agent-1')] });
    const { suspension_id, view } = await world.suspend(handle, {}, LEFT);
    if (!view) throw new Error('the question is not shown');
    const asked = world.suspension(suspension_id);
    const answer = { ...(await world.answer(view)), ...LEFT };
    await asked.executeUpdate(respondUpdate, { args: [answer] });
    await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
    await writeStatus(handle, 'completed');
    await handle.result();
    return { 'intent-that-leaves-its-rows': handle, 'suspension-settled-by-a-writer': asked };
  },
  async 'intent-told-of-a-plan-during-a-write'(world) {
    const releaseStore = world.activities.holdStore();
    const handle = await world.openIntent();
    await settledAfter(handle, 'workflowTaskCompleted', 1);
    for (const count of [1, 2, 3]) {
      await tellOfPlan(handle);
      await settledAfter(handle, 'workflowExecutionSignaled', count);
    }
    releaseStore();
    await settledAfter(handle, 'activityTaskCompleted', 2);
    await writeStatus(handle, 'completed');
    await handle.result();
    return { 'intent-told-of-a-plan-during-a-write': handle };
  },
};
