import { z } from 'zod';
import { instantSchema } from '../kernel/primitives.js';

/**
 * Reply of `DELETE /v1/intents/{id}/personal-data`. It stays the same until the log has grown and may need a new
 * erasure.
 */
export const intentErasureSchema = z.object({
  intent_id: z.uuid(),
  erased_at: instantSchema,
  erased_by: z.string().describe('The principal whose key ordered it.'),
  through_sequence: z.int().min(0).describe('The last event whose payload was erased.'),
  event_sequence: z.int().min(1).describe('The event `personal_data_erased` that says so.'),
});
export type IntentErasure = Readonly<z.infer<typeof intentErasureSchema>>;

/** Reply of `DELETE /v1/suspensions/{id}/personal-data`. */
export const suspensionErasureSchema = z.object({
  suspension_id: z.uuid(),
  erased_at: instantSchema,
  erased_by: z.string().describe('The principal whose key ordered it.'),
});
export type SuspensionErasure = Readonly<z.infer<typeof suspensionErasureSchema>>;
