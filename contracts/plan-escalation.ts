import { z } from 'zod';
import { FAILURE_DECISIONS } from './constants/plans.js';

/** The id of a question of a plan, once it is open; its first characters for who may not see it whole (AM-45). */
export const questionIdSchema = z.union([z.uuid(), z.string().regex(/^.{8}…$/)]).nullable();

/** A task that failed and was put to an operator (`on_failure: pause_and_escalate`); the last of each task. */
export const escalationSchema = z.object({
  task_id: z.uuid(),
  attempt: z.int().min(1),
  error: z.string().nullable(),
  status: z.enum(['open', 'decided', 'withdrawn']),
  suspension_id: questionIdSchema,
  decision: z.enum(FAILURE_DECISIONS).nullable(),
  decided_by: z.string().nullable(),
});
export type PlanEscalation = Readonly<z.infer<typeof escalationSchema>>;
