import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../contracts/people/caller.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import {
  pauseRequestSchema,
  type PauseBody,
} from '../../../contracts/suspension/pause-requests.js';
import { resolvePause } from '../../../domain/suspension/asking/pause.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { granted } from '../../domain/samples.js';
import { caller } from '../../support/callers.js';
import { LEAVING, type Opened } from './suspensions.js';
import type { World } from './world.js';

const LIMITED: PauseBody = {
  reason: 'rate_limit',
  resume_signal: 'rate_limit_cleared',
  resumable_by: ['watcher'],
  timeout_seconds: 60,
  metadata: { retry_after: 60 },
};

/** Opens a pause of a crawler, for a minute unless the fields say otherwise. */
export async function openPause(world: World, fields: Partial<PauseBody> = {}): Promise<Opened> {
  const request = pauseRequestSchema.parse({ ...LIMITED, ...fields });
  const { draft } = granted(resolvePause(request, LIMITS));
  const at = new Date(await world.now()).toISOString();
  const { record, schedule } = openRecord(draft, randomUUID(), at);
  const input = { ...LEAVING, asked_by: 'crawler', record, schedule };
  const handle = await world.client.start<typeof suspension>('suspension', {
    workflowId: workflowIdOf('suspension', record.id),
    taskQueue: world.taskQueue,
    args: [input],
  });
  const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
  return { handle, view, id: record.id };
}

/** The signal that resumes it, from the crawler unless somebody else sends it. */
export async function resumeBy(
  world: World,
  { view }: Opened,
  by: Caller = caller('crawler'),
  fields: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  const { intent_id: _, ...answer } = await world.answer(view, { remaining: 500 });
  const own = { by, responded_by: by.principal, resume_signal: 'rate_limit_cleared' };
  return { ...answer, ...own, ...fields };
}
