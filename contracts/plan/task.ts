import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { TASK_STATUSES } from '../constants/statuses.js';
import {
  boundedText,
  eachOnce,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
} from '../kernel/primitives.js';

/** Name of a phase, task, output, input or type; references such as `research.findings` consist of them. */
export const partNameSchema = boundedText(LIMITS.nameCharacters).regex(/^[A-Za-z][\w-]*$/);

/** `string`, `number`, `boolean`, `object`, `array`, or the name of a declared type (RFC-0024 §1). */
const typeNameSchema = textSchema(LIMITS.nameCharacters);
const declaredTypeSchema = z.union([
  typeNameSchema,
  z.object({ type: typeNameSchema, required: z.boolean().default(true) }),
]);
export type DeclaredType = Readonly<z.output<typeof declaredTypeSchema>> | string;

/** The outputs that a task must deliver, by key (RFC-0024 §1). */
export const outputsSchema = z.record(partNameSchema, declaredTypeSchema);
export type DeclaredOutputs = Readonly<z.output<typeof outputsSchema>>;

/** The source of each input: `phase.key`, `$trigger.key` or `$initial_state.key` (RFC-0024 §2). */
export const inputsSchema = z.record(partNameSchema, z.string().max(LIMITS.titleCharacters));
export type DeclaredInputs = Readonly<z.output<typeof inputsSchema>>;

/** Named types that outputs can refer to. */
export const typesSchema = z.record(partNameSchema, outputsSchema);
export type DeclaredTypes = Readonly<z.output<typeof typesSchema>>;

export const taskStatusSchema = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

const namesSchema = z.array(nameSchema).max(LIMITS.listedNames);
const attemptsSchema = z.int().min(1).max(LIMITS.attempts);

/** A claim that is granted as soon as the inputs of the task are available (R26-78). */
const waitingClaimSchema = z.object({ agent_id: z.string(), since: instantSchema });

/**
 * A task (RFC-0012 §1.1). If `blocked_reason` is `intent_suspended`, `suspended_intent_id` is set (R26-12). We added
 * `created_by`, `inputs`, `outputs`, `waiting_claim` and `updated_at`.
 */
export const taskSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid(),
    plan_id: z.uuid().nullable(),
    parent_task_id: z.uuid().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    version: z.int().min(1),
    status: taskStatusSchema,
    priority: z.string(),
    input: jsonObjectSchema,
    output: jsonObjectSchema.nullable(),
    artifacts: z.array(jsonValueSchema),
    inputs: inputsSchema,
    outputs: outputsSchema,
    assigned_agent: z.string().nullable(),
    waiting_claim: waitingClaimSchema.nullable(),
    lease_id: z
      .string()
      .nullable()
      .describe('Always null: `assigned_agent` says who has the task for as long as it runs.'),
    capabilities_required: namesSchema,
    depends_on: z.array(z.uuid()),
    blocks: z.array(z.uuid()),
    blocked_reason: z.string().nullable(),
    suspended_intent_id: z.uuid().nullable(),
    error: z.string().nullable(),
    retry_policy: z.string(),
    timeout_seconds: z.int().nullable(),
    attempt: z.int().min(1),
    max_attempts: z.int().min(1),
    permissions: jsonValueSchema,
    memory_policy: jsonValueSchema,
    requires_tools: namesSchema,
    metadata: jsonObjectSchema,
    created_by: z.string(),
    created_at: instantSchema,
    updated_at: instantSchema,
    started_at: instantSchema.nullable(),
    completed_at: instantSchema.nullable(),
  })
  .meta({ id: 'Task' });
export type Task = Readonly<z.infer<typeof taskSchema>>;

/** A task in a list, without fields that may be large. */
export const taskSummarySchema = taskSchema.omit({
  input: true,
  inputs: true,
  output: true,
  outputs: true,
  artifacts: true,
  permissions: true,
  memory_policy: true,
  metadata: true,
});
export type TaskSummary = Readonly<z.infer<typeof taskSummarySchema>>;

const KEPT = 'Stored and returned, but not acted upon.';

const details = {
  description: z.string().max(LIMITS.textCharacters).nullish(),
  priority: nameSchema.default('normal'),
  input: jsonObjectSchema.default({}),
  capabilities_required: namesSchema.default([]),
  timeout_seconds: secondsSchema
    .nullish()
    .describe(
      'How long the agent may work in each attempt; time in which the task is blocked does not count.',
    ),
  max_attempts: attemptsSchema.default(1),
  permissions: jsonValueSchema
    .default('inherit')
    .describe(
      'A list under `allow` limits who may claim the task, and lets them write it whatever the access list of its intent says; anything else limits nobody.',
    ),
  memory_policy: jsonValueSchema.default(null).describe(KEPT),
  requires_tools: namesSchema.default([]).describe(KEPT),
  metadata: jsonObjectSchema.default({}),
  assigned_agent: nameSchema.nullish(),
};

/** Body of `POST /v1/tasks`. `depends_on` contains ids of tasks. */
export const createTaskRequestSchema = z
  .object({
    ...details,
    intent_id: z.uuid(),
    name: nameSchema,
    plan_id: z.uuid().nullish(),
    parent_task_id: z.uuid().nullish(),
    depends_on: eachOnce(z.uuid(), LIMITS.planTasks).default([]),
  })
  .meta({ id: 'CreateTaskRequest' });
export type CreateTaskRequest = z.output<typeof createTaskRequestSchema>;

/** A task that a plan creates. `depends_on` contains names of tasks of the same plan. */
export const taskDefinitionSchema = z.object({
  ...details,
  name: partNameSchema,
  intent_id: z.uuid().optional(),
  depends_on: eachOnce(partNameSchema, LIMITS.planTasks).default([]),
  inputs: inputsSchema.default({}),
  outputs: outputsSchema.default({}),
});
export type TaskDefinition = z.output<typeof taskDefinitionSchema>;

/** Body of `PATCH /v1/tasks/{id}`. */
export const patchTaskRequestSchema = z
  .object({
    status: taskStatusSchema,
    assigned_agent: nameSchema.optional(),
    output: jsonObjectSchema.optional(),
    artifacts: z.array(jsonValueSchema).max(LIMITS.listedNames).optional(),
    error: z.string().max(LIMITS.questionCharacters).optional(),
    blocked_reason: z.string().max(LIMITS.questionCharacters).optional(),
  })
  .meta({ id: 'PatchTaskRequest' });
export type PatchTaskRequest = z.output<typeof patchTaskRequestSchema>;

/** Body of `POST /v1/tasks/{id}/claim`. With `wait`, a premature claim is kept until it can be granted. */
export const claimRequestSchema = z
  .object({ wait: z.boolean().default(false) })
  .meta({ id: 'ClaimRequest' });
export type ClaimRequest = z.output<typeof claimRequestSchema>;

/** The suspension of a task's intent, as the plan and the dependent tasks see it. */
export const taskSuspensionSchema = z.object({
  intent_id: z.uuid(),
  suspended_since: instantSchema,
  expires_at: instantSchema.nullable(),
});
export type TaskSuspension = Readonly<z.infer<typeof taskSuspensionSchema>>;

/** The state of a task for its plan and dependent tasks. The higher revision is newer. */
export interface TaskNews {
  readonly task_id: string;
  readonly revision: number;
  readonly name: string;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly error: string | null;
  /** Set if the intent of the failed task was abandoned, so that the task cannot be tried again. */
  readonly final?: true;
  /** The suspension of the task's intent, whatever the status of the task. */
  readonly suspension: TaskSuspension | null;
  /** The coordinator that holds the phases wired to this task (R26-33). */
  readonly dependents_held_by?: string;
  /** Sent to dependent tasks once the task is completed. */
  readonly output?: Task['output'];
  /** Set by a dependent task that keeps no outputs, because together they are too large. */
  readonly output_left_out?: true;
}
