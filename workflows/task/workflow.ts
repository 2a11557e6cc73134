import { run } from '../engine/run.js';
import type { TaskRun } from './carried.js';
import { TaskEntity } from './entity.js';
import { registerTaskHandlers } from './handlers.js';

/**
 * One task (RFC-0012 §1): its status machine, who has it, and the mirror of its intent (RFC-0026 Rule 3). It
 * goes on after the task is over, for its intent may be suspended again; it ends with the intent, once
 * nothing is owed any more.
 */
export async function task(input: TaskRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new TaskEntity(input);
      registerTaskHandlers(entity);
      return entity;
    },
    cancel(entity) {
      entity.cancel('cancelled through Temporal');
    },
  });
}
