import { z } from 'zod';
import { instantSchema } from '../kernel/primitives.js';

/** How many task queues are listed, and how many workflows of each. */
export const MOST_UNATTENDED = { queues: 20, examples: 5 } as const;

/** A task queue on which workflows of agents wait, and which no worker polls. */
export const unattendedQueueSchema = z.object({
  task_queue: z.string(),
  version: z
    .string()
    .nullable()
    .describe(
      'The version of workers to which these workflows are pinned, if they are: others may poll the queue.',
    ),
  workflows: z.int().min(1).describe('How many of the workflows that were looked at wait here.'),
  examples: z
    .array(z.string())
    .max(MOST_UNATTENDED.examples)
    .readonly()
    .describe('The ids of some of them.'),
  last_poll: instantSchema
    .nullable()
    .describe('When Temporal last heard from such a worker; null if it does not remember one.'),
});
export type UnattendedQueue = Readonly<z.infer<typeof unattendedQueueSchema>>;

/** Body of `GET /v1/server/unattended`. */
export const unattendedQueuesSchema = z.object({
  queues: z.array(unattendedQueueSchema).max(MOST_UNATTENDED.queues).readonly(),
  more: z
    .boolean()
    .describe('Whether there may be others, because not all workflows were looked at.'),
});
export type UnattendedQueues = Readonly<z.infer<typeof unattendedQueuesSchema>>;
