import { z } from 'zod';

/** With a cache of one workflow, or one poller for workflow tasks, the SDK has none for a queue of its own. */
const LEAST_FOR_WORKFLOWS = 2;
const MOST_SLOTS = 10_000;
const MOST_POLLERS = 200;

/** The share of the machine up to which a worker accepts more tasks; above it, another task may not fit. */
const shareSchema = z.number().min(0.1).max(0.95);

/** How many tasks of a kind a worker runs at once, and how many of its polls wait for the next one. */
const tasksSchema = (at_once: number, pollers: number, least = 1) => {
  const pollersSchema = z.int().min(least).max(MOST_POLLERS);
  return z
    .strictObject({
      at_once: z.int().min(least).max(MOST_SLOTS).default(at_once),
      /** A number, or a range within which Temporal chooses. */
      pollers: z
        .union([
          pollersSchema,
          z
            .strictObject({ least: pollersSchema, most: pollersSchema })
            .refine((pollers) => pollers.least <= pollers.most, {
              error: 'least must not be more than most',
              path: ['least'],
            }),
        ])
        .default(pollers),
    })
    .prefault({});
};

/**
 * The load of each worker process. The defaults are measured: many pollers, because a question is many short tasks; a
 * bounded cache, because a workflow that waits for hours needs no memory.
 */
export const workerConfigSchema = z.strictObject({
  /** Workflows whose state stays in memory; others are replayed from their history when needed. */
  cached_workflows: z.int().min(LEAST_FOR_WORKFLOWS).max(100_000).default(1_000),
  workflow_tasks: tasksSchema(200, 40, LEAST_FOR_WORKFLOWS),
  /** The journal and every activity without a queue of its own. */
  activities: tasksSchema(100, 10),
  /** Notifications, which wait for slow channels. */
  deliveries: tasksSchema(500, 5),
  /** One for each webhook subscription being served, and one that wakes them. */
  feed: tasksSchema(2_000, 2),
  /** If set, a worker accepts tasks until this share of the machine is used, at most `at_once` of a kind. */
  resources: z.strictObject({ cpu: shareSchema, memory: shareSchema }).optional(),
});
export type WorkerConfig = z.output<typeof workerConfigSchema>;
