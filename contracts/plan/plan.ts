import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { FAILURE_DECISIONS, PLAN_STATES, TASK_STATUSES } from '../constants/statuses.js';
import { decisionRuleRequestSchema } from '../suspension/decision.js';
import { openingStateSchema } from '../intent/intent.js';
import {
  boundedText,
  eachOnce,
  instantSchema,
  jsonObjectSchema,
  nameSchema,
  textSchema,
} from '../kernel/primitives.js';
import {
  inputsSchema,
  outputsSchema,
  partNameSchema,
  taskDefinitionSchema,
  taskStatusSchema,
  taskSuspensionSchema,
  typesSchema,
} from './task.js';

/** Id of a plan's open question, null before it opens; shortened for readers who may not answer. */
const questionIdSchema = z.union([z.uuid(), boundedText(9).regex(/^.{8}…$/)]).nullable();

/** The latest failure of a task that an operator was asked about (`on_failure: pause_and_escalate`). */
const escalationSchema = z.object({
  task_id: z.uuid(),
  attempt: z.int().min(1),
  error: z.string().nullable(),
  status: z.enum(['open', 'decided', 'withdrawn']),
  suspension_id: questionIdSchema,
  decision: z.enum(FAILURE_DECISIONS).nullable(),
  decided_by: z.string().nullable(),
});
export type PlanEscalation = Readonly<z.infer<typeof escalationSchema>>;

/** One phase of a phased plan, which RFC-0024 calls a workflow: an intent, and the task that does its work. */
const phaseSchema = taskDefinitionSchema.omit({ name: true, intent_id: true }).extend({
  title: textSchema(LIMITS.titleCharacters).optional(),
  assign: nameSchema.nullish(),
  depends_on: eachOnce(partNameSchema, LIMITS.dependenciesPerIntent).default([]),
  inputs: inputsSchema.default({}),
  outputs: outputsSchema.default({}),
});
export type Phase = z.output<typeof phaseSchema>;

const planStateSchema = z.enum(PLAN_STATES);
export type PlanStateName = z.infer<typeof planStateSchema>;

const onFailureSchema = z.enum(['pause_and_escalate', 'notify', 'fail', 'retry']);
const idSchema = z.string().min(1).max(LIMITS.nameCharacters);
const HOURS = LIMITS.windowSeconds / 3_600;
const KEPT = 'Stored and returned. Whatever it says, the event `plan.completed` is recorded.';

/** A point after a task that may need an approval before its dependents continue (RFC-0012 §2.3). */
const checkpointFields = {
  id: idSchema,
  name: z.string().max(LIMITS.nameCharacters).nullable(),
  after_task: z.uuid(),
  requires_approval: z.boolean(),
  approvers: z
    .array(nameSchema)
    .max(LIMITS.listedNames)
    .describe('Who may decide; anybody who may answer if it is empty.'),
  decision_rule: decisionRuleRequestSchema
    .optional()
    .describe('More about who decides. Its `eligible` takes the place of `approvers`.'),
  timeout_hours: z.number().positive().max(HOURS).nullable(),
  on_timeout: z.enum(['escalate', 'auto_approve', 'fail']),
};
const checkpointSchema = z.object({
  ...checkpointFields,
  status: z.enum(['pending', 'reached', 'approved', 'rejected']),
  suspension_id: questionIdSchema,
  decided_by: z.string().nullable(),
  denials: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('The answers of its question that deny.'),
  warnings: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('Whom it lets approve that nobody here knows, in sentences.'),
});
export type Checkpoint = Readonly<z.infer<typeof checkpointSchema>>;

/** A task is skipped if its condition does not hold (RFC-0012 §2.4). */
const conditionSchema = z.object({
  id: idSchema,
  task_id: z.uuid(),
  when: z.string(),
  otherwise: z.literal('skip'),
});

const planMemberSchema = z.object({
  task_id: z.uuid(),
  name: z.string(),
  intent_id: z.uuid(),
  depends_on: z.array(z.uuid()).readonly(),
  status: taskStatusSchema,
});
export type PlanMember = Readonly<z.infer<typeof planMemberSchema>>;

const countsSchema = z.object(
  Object.fromEntries(TASK_STATUSES.map((status) => [status, z.int().min(0)])) as Record<
    (typeof TASK_STATUSES)[number],
    z.ZodInt
  >,
);

/** The progress of a plan (R26-24). */
const planProgressSchema = z.object({
  total: z.int().min(0),
  by_status: countsSchema,
  suspended_tasks: z.array(taskSuspensionSchema.extend({ task_id: z.uuid() })).readonly(),
});
export type PlanProgress = Readonly<z.infer<typeof planProgressSchema>>;

/** A plan (RFC-0012 §2.1). We added `members`, `progress`, `escalations`, `workflow` and `created_by`. */
export const planSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid(),
    version: z.int().min(1),
    state: planStateSchema,
    tasks: z.array(z.uuid()),
    checkpoints: z.array(checkpointSchema),
    conditions: z.array(conditionSchema),
    escalations: z.array(escalationSchema).readonly(),
    on_failure: onFailureSchema,
    on_complete: z.string().describe(KEPT),
    metadata: jsonObjectSchema,
    created_by: z.string(),
    created_at: instantSchema,
    updated_at: instantSchema,
    members: z.array(planMemberSchema).readonly(),
    progress: planProgressSchema,
    workflow: z
      .object({ title: z.string(), description: z.string().nullable() })
      .nullable()
      .describe('Set if the plan has phases.'),
  })
  .meta({ id: 'Plan' });
export type Plan = Readonly<z.infer<typeof planSchema>>;

/** A plan in a list, without fields that may be large. */
export const planSummarySchema = planSchema.omit({
  checkpoints: true,
  conditions: true,
  members: true,
  metadata: true,
});
export type PlanSummary = Readonly<z.infer<typeof planSummarySchema>>;

/** A task's id, or its name if the same request defines it. */
const taskRefSchema = idSchema;

const checkpointRequestSchema = z.object({
  ...checkpointFields,
  id: idSchema.optional(),
  name: checkpointFields.name.default(null),
  after_task: taskRefSchema,
  requires_approval: checkpointFields.requires_approval.default(true),
  approvers: checkpointFields.approvers.default([]),
  timeout_hours: checkpointFields.timeout_hours.default(null),
  on_timeout: checkpointFields.on_timeout.default('escalate'),
});
export type CheckpointRequest = z.output<typeof checkpointRequestSchema>;

const conditionRequestSchema = z.object({
  id: idSchema.optional(),
  task_id: taskRefSchema,
  when: z.string().min(1).max(LIMITS.questionCharacters),
  otherwise: z.literal('skip').default('skip'),
});
export type ConditionRequest = z.output<typeof conditionRequestSchema>;

const strategy = {
  types: typesSchema.default({}),
  checkpoints: z.array(checkpointRequestSchema).max(LIMITS.planTasks).default([]),
  conditions: z.array(conditionRequestSchema).max(LIMITS.planTasks).default([]),
  on_failure: onFailureSchema.default('pause_and_escalate'),
  on_complete: nameSchema.default('notify').describe(KEPT),
  metadata: jsonObjectSchema.default({}),
};

/** Body of `POST /v1/plans`. `tasks` contains ids of existing tasks, or definitions of new ones. */
export const createPlanRequestSchema = z
  .object({
    ...strategy,
    intent_id: z.uuid(),
    tasks: z
      .array(z.union([z.uuid(), taskDefinitionSchema]))
      .max(LIMITS.planTasks)
      .default([]),
    state: z.enum(['draft', 'active']).default('draft'),
  })
  .meta({ id: 'CreatePlanRequest' });
export type CreatePlanRequest = z.output<typeof createPlanRequestSchema>;

/** Body of `PATCH /v1/plans/{id}`. `tasks` adds existing tasks. */
export const patchPlanRequestSchema = z
  .object({
    state: planStateSchema.optional(),
    tasks: z.array(z.uuid()).max(LIMITS.planTasks).optional(),
    checkpoints: z.array(checkpointRequestSchema).max(LIMITS.planTasks).optional(),
  })
  .meta({ id: 'PatchPlanRequest' });
export type PatchPlanRequest = z.output<typeof patchPlanRequestSchema>;

const isNumberOfPhases = (length: number) => length > 0 && length <= LIMITS.planTasks;

/** Body of `POST /v1/workflows`. `phases` maps names to phases. */
export const createPhasedPlanRequestSchema = z
  .object({
    ...strategy,
    title: textSchema(LIMITS.titleCharacters),
    description: z.string().max(LIMITS.textCharacters).nullish(),
    phases: z
      .record(partNameSchema, phaseSchema)
      .refine((phases) => isNumberOfPhases(Object.keys(phases).length), {
        params: { accepted: `1 to ${LIMITS.planTasks} phases` },
      })
      .meta({ minProperties: 1, maxProperties: LIMITS.planTasks }),
    trigger: jsonObjectSchema.default({}),
    initial_state: openingStateSchema.default({}),
  })
  .meta({ id: 'CreateWorkflowRequest' });
export type CreatePhasedPlanRequest = z.output<typeof createPhasedPlanRequestSchema>;

/** Body of `GET /v1/workflows/{id}` (R26-25). */
export const phasedPlanViewSchema = z
  .object({
    id: z.uuid(),
    plan_id: z.uuid(),
    intent_id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    state: planStateSchema,
    phases: z
      .array(planMemberSchema.omit({ name: true }).extend({ phase_name: z.string() }))
      .readonly(),
    progress: z.object({
      total: z.int().min(0),
      by_status: countsSchema,
      suspended_phases: z.array(taskSuspensionSchema.extend({ phase_name: z.string() })).readonly(),
    }),
    created_by: z.string(),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'Workflow' });
export type PhasedPlanView = Readonly<z.infer<typeof phasedPlanViewSchema>>;
