import { z } from 'zod';
import { instantSchema } from '../kernel/primitives.js';

/** A worker sets a run of a workflow aside after this many tasks in a row that took longer than the SDK allows. */
export const MOST_OVERRUNS = 3;

export const MOST_NAMED = 20;

/** A run of a workflow that a worker has set aside, with its present state in Temporal. */
export const runSetAsideSchema = z.object({
  workflow_id: z.string(),
  run_id: z.string(),
  since: instantSchema.describe('When a worker first set it aside.'),
  tries: z
    .int()
    .nullable()
    .describe('How often its task has been tried; null if Temporal did not say.'),
});
export type RunSetAside = Readonly<z.infer<typeof runSetAsideSchema>>;

/** Body of `GET /v1/server/set-aside`. */
export const runsSetAsideSchema = z.object({
  workflows: z.array(runSetAsideSchema).max(MOST_NAMED).readonly(),
  more: z.boolean().describe('Whether there are, or may be, others.'),
});
export type RunsSetAside = Readonly<z.infer<typeof runsSetAsideSchema>>;
