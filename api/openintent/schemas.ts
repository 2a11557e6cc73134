import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { intentStatusSchema } from '../../contracts/intent/intent.js';
import {
  boundedText,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
  zonelessInstantSchema,
} from '../../contracts/kernel/primitives.js';
import { digits } from '../http/queries.js';

const count = (least: number, most: number, usual: number) =>
  digits(z.int().min(least).max(most).default(usual));

const limit = count(1, LIMITS.pageSize, LIMITS.defaultPageSize);
const offset = count(0, Number.MAX_SAFE_INTEGER, 0);

/** An id in a body. An id of another form is not found, like an unknown one. */
export const idSchema = z.string().max(LIMITS.nameCharacters);

/**
 * A name that may be missing, null or empty, which mean the same: the SDK sends the id of its agent, which is empty by default.
 */
export const optionalName = z
  .string()
  .max(LIMITS.nameCharacters)
  .trim()
  .nullish()
  .transform((name) => name || undefined);

/** A text of any kind, which may be empty. */
export const wordsSchema = z.string().max(LIMITS.textCharacters);

/** An object that may be missing or null, which both count as empty. */
export const optionalObject = jsonObjectSchema.nullish().transform((object) => object ?? {});

/** Query of lists of containers. */
export const pageQuery = z.object({ limit: count(1, LIMITS.pageSize, LIMITS.pageSize), offset });

/** Body of `POST /intents`, and of a child. Other fields that the SDK sends are ignored. */
export const createSchema = z.object({
  title: textSchema(LIMITS.titleCharacters),
  description: wordsSchema.nullish(),
  status: z.enum(['draft', 'active']).default('draft'),
  state: optionalObject,
  constraints: z
    .union([jsonObjectSchema, z.array(jsonValueSchema).readonly()])
    .nullish()
    .transform((constraints) => constraints ?? {}),
  created_by: optionalName,
  parent_intent_id: idSchema.nullish(),
  parent_id: idSchema.nullish(),
  governance_policy: jsonObjectSchema.nullish(),
  depends_on: z
    .array(idSchema)
    .max(LIMITS.dependenciesPerIntent)
    .nullish()
    .transform((ids) => [...new Set(ids ?? [])]),
});

/** Body of a child: its parent is the path's intent, and its creator the key's principal. */
export const childSchema = createSchema.omit({
  created_by: true,
  parent_intent_id: true,
  parent_id: true,
  governance_policy: true,
});

export const dependencySchema = z.object({ dependency_id: idSchema });

export const listQuery = z.object({
  limit,
  offset,
  status: z.exactOptional(intentStatusSchema),
});

export const statusSchema = z.object({
  status: intentStatusSchema,
  reason: z.string().max(LIMITS.questionCharacters).nullish(),
});

const path = boundedText(LIMITS.patchPathCharacters).refine((text) => /[^/]/.test(text), {
  message: 'Names no key',
});
const written = jsonValueSchema.optional().transform((value) => value ?? null);
const patchSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set'), path, value: written }),
  z.object({ op: z.literal('append'), path, value: written }),
  z.object({ op: z.literal('remove'), path }),
]);

export const patchesSchema = z.array(patchSchema).max(1_000);

/** Body of `POST /intents/{id}/state`: patches, or top-level keys to set. */
export const stateSchema = z
  .object({
    patches: patchesSchema.nullish(),
    state: jsonObjectSchema.nullish(),
  })
  .refine(({ patches, state }) => Boolean(patches) !== Boolean(state), {
    path: ['patches'],
    message: 'Either patches or state',
  });

export const eventSchema = z.object({
  event_type: nameSchema,
  actor: optionalName,
  payload: optionalObject,
  trace_id: optionalName,
  parent_event_id: optionalName,
});

export const eventQuery = z.object({
  limit,
  offset,
  event_type: z.string().max(LIMITS.nameCharacters).optional(),
  since: zonelessInstantSchema.optional(),
});

export const acquireSchema = z.object({ scope: nameSchema, duration_seconds: secondsSchema });
export const renewSchema = z.object({ duration_seconds: secondsSchema });

/** Body of `POST /intents/{id}/suspend/respond`; an empty id has a refusal of its own. */
export const respondSchema = z.object({
  suspension_id: idSchema.default(''),
  value: written,
  responded_by: optionalName,
  question_version: z.int().min(1).nullish(),
  metadata: jsonObjectSchema.nullish(),
});
