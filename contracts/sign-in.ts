import { z } from 'zod';
import { roleSchema } from './api-key.js';
import { boundedText, nameSchema } from './primitives.js';

const URL_CHARACTERS = 2_000;
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.includes(hostname));
}

/** An address of the issuer. */
export const urlSchema = boundedText(URL_CHARACTERS).refine(isSafe, {
  params: { accepted: 'an https:// URL, or an http:// one on loopback' },
});

/**
 * The OpenID Connect issuer whose bearer tokens are accepted beside keys. A claim is named as it stands in the
 * token, or by a path with points, such as `realm_access.roles`.
 */
export const signInConfigSchema = z.strictObject({
  /** As it stands in `iss`, to the letter. */
  issuer: urlSchema,
  /** What has to stand in `aud`. */
  audience: nameSchema,
  /** Where the issuer publishes its keys; found by discovery if it is left out. */
  jwks_uri: urlSchema.optional(),
  /** By how much the clocks of issuer and API may differ. */
  clock_skew_seconds: z.int().min(0).max(300).default(30),
  claims: z
    .strictObject({
      principal: nameSchema.default('sub'),
      roles: nameSchema.default('roles'),
      groups: nameSchema.default('groups'),
      /** If it is left out, every token belongs to the space `default`. */
      space: nameSchema.optional(),
    })
    .prefault({}),
  /** The roles that a value of the claim gives. If it is left out, the values are the names of roles. */
  roles: z.record(nameSchema, z.array(roleSchema).min(1)).optional(),
});
export type SignInConfig = z.output<typeof signInConfigSchema>;
