import { z } from 'zod';
import { roleSchema } from './api-key.js';

/** Body of `GET /v1/me`: the principal of a key or a token, and what it may do. */
export const meSchema = z.object({
  space: z.string(),
  principal: z.string().describe('The name that answers and events show.'),
  roles: z.array(roleSchema).readonly(),
  groups: z.array(z.string()).readonly(),
  acts_for: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('The users in whose name it may ask for approvals.'),
  temporal_ui: z
    .string()
    .nullable()
    .describe('Where the pages of Temporal are, to people who see every question.'),
  may: z
    .array(z.string())
    .readonly()
    .describe('The operations that it may run on something. Each call is judged for itself.'),
});
export type Me = Readonly<z.infer<typeof meSchema>>;
