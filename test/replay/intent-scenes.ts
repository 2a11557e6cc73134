import { respondUpdate } from '../../workflows/suspension/messages.js';
import { settledAfter } from '../workflows/support/histories.js';
import { writeStatus } from '../workflows/support/intents.js';
import type { Scene } from './scenes.js';

const LEFT = { sender_writes: true } as const;

/** Intents whose rows somebody else writes. */
export const INTENT_SCENES: Readonly<Record<string, Scene>> = {
  async 'intent-that-leaves-its-rows'(world) {
    const handle = await world.openIntent(LEFT);
    await settledAfter(handle, 'workflowTaskCompleted', 1);
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
};
