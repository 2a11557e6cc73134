import type { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { inputsSchema, outputsSchema, partNameSchema } from './phase-io.js';
import { eachOnce, nameSchema, textSchema } from './primitives.js';
import { taskDefinitionSchema } from './task.js';

/** One phase of a workflow (RFC-0024): an intent of its own, and the task that does its work. */
export const phaseSchema = taskDefinitionSchema.omit({ name: true, intent_id: true }).extend({
  title: textSchema(LIMITS.titleCharacters).optional(),
  assign: nameSchema.nullish(),
  depends_on: eachOnce(partNameSchema, LIMITS.dependenciesPerIntent).default([]),
  inputs: inputsSchema.default({}),
  outputs: outputsSchema.default({}),
});
export type Phase = z.output<typeof phaseSchema>;
