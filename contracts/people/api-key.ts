import { z } from 'zod';
import { SERVER, TEMPORAL } from '../constants/callers.js';
import { LIMITS } from '../constants/limits.js';
import { boundedText, instantSchema, nameSchema } from '../kernel/primitives.js';

/** The roles of a key, as docs/authorization.md describes them. */
export const roleSchema = z.enum(['agent', 'operator', 'admin', 'auditor', 'user']);
export type Role = z.infer<typeof roleSchema>;

/** The names in events for which no key was used: the server, and a person who cancels a workflow in Temporal. */
const RESERVED_PRINCIPALS: readonly string[] = [SERVER.principal, TEMPORAL.principal];

/** The person or agent that a key or token stands for. It is never a name of the server itself. */
export const principalSchema = nameSchema.refine((name) => !RESERVED_PRINCIPALS.includes(name), {
  params: { accepted: 'a name that the server does not give itself' },
});

/** The groups that a key or a token may name. */
export const ACCEPTED_GROUPS =
  `at most ${LIMITS.groups} groups of at most ${LIMITS.nameCharacters} characters, ` +
  `of ${LIMITS.groupBytes} bytes together`;

const utf8 = new TextEncoder();

/** The groups of a principal. */
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

/** A key as it is configured: its digest, or in clear text. */
const keySchema = boundedText(KEY_CHARACTERS)
  .min(16)
  .refine((key) => !key.startsWith(DIGEST_PREFIX) || DIGEST.test(key), {
    params: { accepted: '"sha256:" and 64 hexadecimal digits in lower case' },
  });

/** The configured keys: each with its principal, space, roles and groups. */
export const apiKeysSchema = z
  .array(
    z.strictObject({
      key: keySchema,
      principal: principalSchema,
      roles: z.array(roleSchema).min(1).max(roleSchema.options.length),
      /** `default` if it is left out. */
      space: nameSchema.optional(),
      groups: groupsSchema.optional(),
      /** The users in whose name an agent may ask for approvals; nobody if it is left out. */
      acts_for: z.array(principalSchema).max(LIMITS.listedNames).optional(),
      /** When the key expires; never if left out. */
      expires_at: instantSchema.optional(),
      /** Says to people what the key is for. */
      label: nameSchema.optional(),
    }),
  )
  .min(1);
export type ApiKey = z.infer<typeof apiKeysSchema>[number];

/** The SHA-256 that a configured key gives in place of itself, as hexadecimal digits; undefined in clear text. */
export function digestGiven({ key }: Pick<ApiKey, 'key'>): string | undefined {
  return key.startsWith(DIGEST_PREFIX) ? key.slice(DIGEST_PREFIX.length) : undefined;
}

/** A digest as it is configured. */
export function asConfiguredDigest(hex: string): string {
  return `${DIGEST_PREFIX}${hex}`;
}
