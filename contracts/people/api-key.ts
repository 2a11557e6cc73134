import { z } from 'zod';
import { SERVER, TEMPORAL } from '../constants/callers.js';
import { LIMITS } from '../constants/limits.js';
import { boundedText, instantSchema, nameSchema } from '../kernel/primitives.js';

export const roleSchema = z.enum(['agent', 'operator', 'admin', 'auditor', 'user']);
export type Role = z.infer<typeof roleSchema>;

/** The names in events for which no key was used: the server, and a person who cancels a workflow in Temporal. */
const RESERVED_PRINCIPALS: readonly string[] = [SERVER.principal, TEMPORAL.principal];

/** The person or agent that a key or token identifies. It is never a name of the server itself. */
export const principalSchema = nameSchema.refine((name) => !RESERVED_PRINCIPALS.includes(name), {
  params: { accepted: 'a name that the server does not give itself' },
});

export const ACCEPTED_GROUPS =
  `at most ${LIMITS.groups} groups of at most ${LIMITS.nameCharacters} characters, ` +
  `of ${LIMITS.groupBytes} bytes together`;

const utf8 = new TextEncoder();

export const groupsSchema = z
  .array(nameSchema)
  .max(LIMITS.groups, { abort: true })
  .refine((names) => utf8.encode(JSON.stringify(names)).length <= LIMITS.groupBytes, {
    params: { accepted: ACCEPTED_GROUPS },
  });

/** The prefix of a configured key that is only a digest. */
const DIGEST_PREFIX = 'sha256:';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Longer keys do not fit into a header. */
const KEY_CHARACTERS = 1_000;

const keySchema = boundedText(KEY_CHARACTERS)
  .min(16)
  .refine((key) => !key.startsWith(DIGEST_PREFIX) || DIGEST.test(key), {
    params: { accepted: '"sha256:" and 64 hexadecimal digits in lower case' },
  });

export const apiKeysSchema = z
  .array(
    z.strictObject({
      key: keySchema,
      principal: principalSchema,
      roles: z.array(roleSchema).min(1).max(roleSchema.options.length),
      /** `default` if absent. */
      space: nameSchema.optional(),
      groups: groupsSchema.optional(),
      /** The users on whose behalf an agent may ask for approvals; nobody if absent. */
      acts_for: z.array(principalSchema).max(LIMITS.listedNames).optional(),
      /** When the key expires; never if absent. */
      expires_at: instantSchema.optional(),
      /** Tells people what the key is for. */
      label: nameSchema.optional(),
    }),
  )
  .min(1);
export type ApiKey = z.infer<typeof apiKeysSchema>[number];

/** The SHA-256 of a key that is configured as a digest, in hexadecimal digits; undefined for one in clear text. */
export function digestGiven({ key }: Pick<ApiKey, 'key'>): string | undefined {
  return key.startsWith(DIGEST_PREFIX) ? key.slice(DIGEST_PREFIX.length) : undefined;
}

export function asConfiguredDigest(hex: string): string {
  return `${DIGEST_PREFIX}${hex}`;
}
