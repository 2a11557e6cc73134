import type { z } from 'zod';
import { nameSchema } from './primitives.js';
import { suspendRequestSchema } from './suspension-requests.js';
import type { SuspensionDraft, SuspensionRecord } from './suspension.js';

/** What the workflow of an agent asks: as over HTTP, with the name that it asks under. */
export const inputRequestSchema = suspendRequestSchema
  .omit({ request_key: true })
  .extend({ asked_by: nameSchema.optional() });
export type InputBody = z.input<typeof inputRequestSchema>;

/** The question as it will be kept, and what the agent should know about it. */
export interface PreparedInput {
  readonly draft: SuspensionDraft;
  readonly warnings: readonly string[];
}

/** A suspension as the store has it; pending where its workflow was ended from outside. */
export interface StoredInput {
  readonly record: SuspensionRecord;
  readonly attempt: number;
}
