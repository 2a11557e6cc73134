import { z } from 'zod';
import { PERMISSIONS } from '../constants/callers.js';
import { instantSchema } from '../kernel/primitives.js';

const accessEntrySchema = z.object({
  id: z.uuid(),
  principal_id: z.string().describe('A principal, or a group if the type is `group`.'),
  principal_type: z.string(),
  permission: z.enum(PERMISSIONS),
  granted_by: z.string().describe('The principal that granted it.'),
  granted_at: instantSchema,
  expires_at: instantSchema.nullable(),
  reason: z.string().nullable(),
});
export type AccessEntry = z.infer<typeof accessEntrySchema>;

/** The agents that may read, write and administer an intent. Without a list, all agents may. */
export const accessListSchema = z.object({
  default_policy: z.enum(['open', 'closed']),
  entries: z.array(accessEntrySchema).readonly(),
});
export type AccessList = z.infer<typeof accessListSchema>;

/** The part of an access list that determines permissions. */
export interface AccessGrants {
  readonly default_policy: AccessList['default_policy'];
  readonly entries: readonly Pick<
    AccessEntry,
    'principal_id' | 'principal_type' | 'permission' | 'expires_at'
  >[];
}

/** What determines who may read and write an intent and its parts. */
export interface Guarded {
  readonly owner?: string | null | undefined;
  readonly access?: AccessGrants | null | undefined;
  /** The principals that asked its open question. */
  readonly askers?: readonly string[] | undefined;
}

/** A reader whose view access lists restrict. */
export interface Reader {
  readonly principal: string;
  readonly groups: readonly string[];
  /** Whether it reads only its own things, unless a list names it. */
  readonly own?: true;
}
