import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { textSchema } from './primitives.js';

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
