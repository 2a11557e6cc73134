import { z } from 'zod';
import { accessListSchema } from './access.js';
import { LIMITS } from '../constants/limits.js';
import { INTENT_STATUSES } from '../constants/statuses.js';
import {
  boundedText,
  eachOnce,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
  type JsonObject,
} from '../kernel/primitives.js';
import type { SuspensionDraft } from '../suspension/suspension.js';

export const intentStatusSchema = z.enum(INTENT_STATUSES);
export type IntentStatus = z.infer<typeof intentStatusSchema>;

/** An intent. `state._suspension` contains the record of its open question, or else of its last one. */
export const intentSchema = z
  .object({
    id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    status: intentStatusSchema,
    version: z.int().min(1),
    state: jsonObjectSchema,
    constraints: jsonValueSchema,
    parent_intent_id: z.uuid().nullable(),
    depends_on: z.array(z.uuid()),
    created_by: z.string(),
    owner: z.exactOptional(z.string()).describe('The principal whose key created it.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    abandonment_reason: z.string().optional(),
    governance_policy: jsonObjectSchema
      .describe('Set by its owner or an admin. What it forbids to agents is refused.')
      .optional(),
    access: z
      .exactOptional(accessListSchema)
      .describe('Which agents may read, write and administer it; absent if all may.'),
  })
  .meta({ id: 'Intent' });
export type Intent = z.infer<typeof intentSchema>;

/** An intent in a list, without fields that may be large. */
export const intentSummarySchema = intentSchema.omit({
  state: true,
  constraints: true,
  governance_policy: true,
  access: true,
});
export type IntentSummary = z.infer<typeof intentSummarySchema>;

/** The initial state of an intent. It may not contain a suspension, which could be a forged answer. */
export const openingStateSchema = jsonObjectSchema
  .refine((state) => !Object.hasOwn(state, '_suspension'), {
    path: ['_suspension'],
    params: { accepted: 'left out: suspensions alone write this slot' },
  })
  .meta({ properties: { _suspension: { not: {} } } });

/** Body of `POST /v1/intents`. */
export const createIntentRequestSchema = z
  .object({
    title: textSchema(LIMITS.titleCharacters),
    description: z.string().max(LIMITS.textCharacters).nullish(),
    status: z.enum(['draft', 'active']).default('draft'),
    state: openingStateSchema.default({}),
    constraints: z.union([jsonObjectSchema, z.array(jsonValueSchema).readonly()]).default({}),
    parent_intent_id: z.uuid().nullish(),
    depends_on: eachOnce(z.uuid(), LIMITS.dependenciesPerIntent).default([]),
    created_by: nameSchema.optional(),
    governance_policy: jsonObjectSchema.optional(),
  })
  .meta({ id: 'CreateIntentRequest' });
export type CreateIntentRequest = z.output<typeof createIntentRequestSchema>;
export type CreateIntentBody = z.input<typeof createIntentRequestSchema>;

/** Body of `POST /v1/intents/{id}/children`. The parent is the intent in the path. */
export const createChildRequestSchema = createIntentRequestSchema
  .omit({ parent_intent_id: true })
  .meta({ id: 'CreateChildRequest' });

/** Body of `POST /v1/intents/{id}/dependencies`. */
export const dependencyRequestSchema = z
  .object({ dependency_id: z.uuid() })
  .meta({ id: 'DependencyRequest' });

/** Body of `POST /v1/intents/{id}/status`. */
export const statusRequestSchema = z
  .object({
    status: intentStatusSchema,
    reason: z.string().max(LIMITS.questionCharacters).optional(),
  })
  .meta({ id: 'StatusRequest' });
export type StatusRequest = z.infer<typeof statusRequestSchema>;

/** A path is split at `/`. Empty parts are ignored, and at least one other part is needed. */
const patchPathSchema = boundedText(LIMITS.patchPathCharacters).min(1).meta({ pattern: '[^/]' });

/** A change to the state of an intent (RFC-0001). */
export const statePatchSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set'), path: patchPathSchema, value: jsonValueSchema }),
  z.object({ op: z.literal('append'), path: patchPathSchema, value: jsonValueSchema }),
  z.object({ op: z.literal('remove'), path: patchPathSchema }),
]);
export type StatePatch = z.infer<typeof statePatchSchema>;

/** Body of `POST /v1/intents/{id}/state`: either patches, or top-level keys to merge into the state. */
export const stateRequestSchema = z
  .union([
    z.object({
      patches: z.array(statePatchSchema).min(1).max(1_000),
      state: z.never().optional(),
    }),
    z.object({
      state: jsonObjectSchema.meta({ minProperties: 1, propertyNames: { pattern: '^[^/]+$' } }),
      patches: z.never().optional(),
    }),
  ])
  .meta({ id: 'StateRequest' });
export type StateRequest = z.infer<typeof stateRequestSchema>;

/** An agent's lease on one scope of an intent (RFC-0003). `duration_seconds` is the duration granted last. */
export const leaseSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid(),
    agent_id: z.string(),
    holder: z.string().describe('The principal whose key acquired it.'),
    scope: z.string(),
    status: z.enum(['active', 'released', 'expired', 'revoked']),
    duration_seconds: z.int(),
    acquired_at: instantSchema,
    expires_at: instantSchema,
    released_at: instantSchema.nullable(),
  })
  .meta({ id: 'Lease' });
export type Lease = z.infer<typeof leaseSchema>;

/** Body of `POST /v1/intents/{id}/leases`. */
export const acquireLeaseRequestSchema = z
  .object({
    scope: nameSchema,
    duration_seconds: secondsSchema,
  })
  .meta({ id: 'AcquireLeaseRequest' });
/** Body of a request to renew a lease. */
export const renewLeaseRequestSchema = z
  .object({ duration_seconds: secondsSchema })
  .meta({ id: 'RenewLeaseRequest' });

/** Says whether a coordinator holds the phases that are wired to an intent. */
export interface PhaseHold {
  readonly coordinator_id: string;
  readonly held: boolean;
}

/** A question that a coordinator asks on its own intent (R26-34). */
export interface OwnQuestion {
  readonly intent_id: string;
  readonly asked_by: string;
  readonly actor: string;
  readonly draft: SuspensionDraft;
}

/** An event that another workflow appends to the log of an intent, once for its key. */
export interface IntentNote {
  readonly key: string;
  readonly intent_id: string;
  readonly actor: string;
  readonly event_type: string;
  readonly payload: JsonObject;
  /** Set if the coordinator starts or stops holding the phases wired to the intent (R26-33). */
  readonly hold?: PhaseHold;
  /** A question to ask instead of the event. The event is appended only if the intent cannot be suspended. */
  readonly question?: OwnQuestion;
}
