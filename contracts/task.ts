import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { TASK_STATUSES } from './constants/statuses.js';
import {
  eachOnce,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
} from './primitives.js';

/** Name of a phase or task, output, input or type: it stands in references such as `research.findings`. */
export const partNameSchema = z
  .string()
  .max(LIMITS.nameCharacters)
  .regex(/^[A-Za-z][\w-]*$/);

/** `string`, `number`, `boolean`, `object`, `array`, or the name of a type (RFC-0024 §1). */
const typeNameSchema = textSchema(LIMITS.nameCharacters);
const declaredTypeSchema = z.union([
  typeNameSchema,
  z.object({ type: typeNameSchema, required: z.boolean().default(true) }),
]);
export type DeclaredType = Readonly<z.output<typeof declaredTypeSchema>> | string;

/** What a task has to give, by key (RFC-0024 §1). */
export const outputsSchema = z.record(partNameSchema, declaredTypeSchema);
export type DeclaredOutputs = Readonly<z.output<typeof outputsSchema>>;

/** Where each input comes from: `phase.key`, `$trigger.key` or `$initial_state.key` (RFC-0024 §2). */
export const inputsSchema = z.record(partNameSchema, z.string().max(LIMITS.titleCharacters));
export type DeclaredInputs = Readonly<z.output<typeof inputsSchema>>;

/** Shapes by name, which outputs may refer to. */
export const typesSchema = z.record(partNameSchema, outputsSchema);
export type DeclaredTypes = Readonly<z.output<typeof typesSchema>>;

export const taskStatusSchema = z.enum(TASK_STATUSES);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

const namesSchema = z.array(nameSchema).max(LIMITS.listedNames);
const attemptsSchema = z.int().min(1).max(LIMITS.attempts);

/** A claim that is granted once the inputs can be resolved (AM-42). */
const waitingClaimSchema = z.object({ agent_id: z.string(), since: instantSchema });

/**
 * A task of RFC-0012 §1.1 with the fields of RFC-0026 Rule 3. `suspended_intent_id` is set together with the
 * `blocked_reason` `intent_suspended`; `created_by`, `inputs`, `outputs`, `waiting_claim` and `updated_at`
 * are additive.
 */
export const taskSchema = z.object({
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
    .describe('Always null: who has a task is in `assigned_agent`, for as long as it runs.'),
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
});
export type Task = Readonly<z.infer<typeof taskSchema>>;

const KEPT = 'Kept and given back, not acted upon.';

const details = {
  description: z.string().max(LIMITS.textCharacters).nullish(),
  priority: nameSchema.default('normal'),
  input: jsonObjectSchema.default({}),
  capabilities_required: namesSchema.default([]),
  timeout_seconds: secondsSchema
    .nullish()
    .describe('How long its agent may run in each attempt; what is waited for does not count.'),
  max_attempts: attemptsSchema.default(1),
  permissions: jsonValueSchema
    .default('inherit')
    .describe('Under `allow` the agents that may claim the task; anything else limits nobody.'),
  memory_policy: jsonValueSchema.default(null).describe(KEPT),
  requires_tools: namesSchema.default([]).describe(KEPT),
  metadata: jsonObjectSchema.default({}),
  assigned_agent: nameSchema.nullish(),
};

/** Body of `POST /v1/tasks`; `depends_on` names tasks by their ids. */
export const createTaskRequestSchema = z.object({
  ...details,
  intent_id: z.uuid(),
  name: nameSchema,
  plan_id: z.uuid().nullish(),
  parent_task_id: z.uuid().nullish(),
  depends_on: eachOnce(z.uuid(), LIMITS.planTasks).default([]),
});
export type CreateTaskRequest = z.output<typeof createTaskRequestSchema>;

/** A task that a plan starts; `depends_on` names tasks of the same plan. */
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
export const patchTaskRequestSchema = z.object({
  status: taskStatusSchema,
  assigned_agent: nameSchema.optional(),
  output: jsonObjectSchema.optional(),
  artifacts: z.array(jsonValueSchema).max(LIMITS.listedNames).optional(),
  error: z.string().max(LIMITS.questionCharacters).optional(),
  blocked_reason: z.string().max(LIMITS.questionCharacters).optional(),
});
export type PatchTaskRequest = z.output<typeof patchTaskRequestSchema>;

/** Body of `POST /v1/tasks/{id}/claim`; with `wait` a claim that comes too early is kept (AM-42). */
export const claimRequestSchema = z.object({ wait: z.boolean().default(false) });
export type ClaimRequest = z.output<typeof claimRequestSchema>;

/** The suspension of a task's intent, as its plan and its dependents are told. */
export interface TaskSuspension {
  readonly intent_id: string;
  readonly suspended_since: string;
  readonly expires_at: string | null;
}

/** What a task is, as its plan and its dependents are told; of two the one with the higher revision counts. */
export interface TaskNews {
  readonly task_id: string;
  readonly revision: number;
  readonly name: string;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly error: string | null;
  /** Set where it failed with its intent: it cannot be tried again. */
  readonly final?: true;
  /** Of its intent, whatever the status of the task itself. */
  readonly suspension: TaskSuspension | null;
  /** The coordinator that holds the phases wired to this one (AM-40). */
  readonly dependents_held_by?: string;
  /** Only for dependents, and only once it is completed. */
  readonly output?: Task['output'];
}
