import { z } from 'zod';
import { roleSchema } from './api-key.js';
import { boundedText, isVariable, nameSchema } from '../kernel/primitives.js';

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

const SCOPE_CHARACTERS = 500;

/** How people sign in at the issuer with a browser: this service as a client of it. */
const browserSchema = z.strictObject({
  client_id: nameSchema,
  /** The environment variable that has it; left out by a client that has none. */
  client_secret: boundedText(SCOPE_CHARACTERS)
    .refine(isVariable, {
      params: { accepted: '$NAME of an environment variable' },
    })
    .optional(),
  scope: boundedText(SCOPE_CHARACTERS).min(1).default('openid'),
  /** Which token says who signs in. An access token has to be for `audience`. */
  claims_from: z.enum(['id_token', 'access_token']).default('id_token'),
  /** Further parameters that the issuer demands, such as `audience` or `resource`. */
  parameters: z.record(nameSchema, nameSchema).default({}),
});
export type BrowserSignInConfig = z.output<typeof browserSchema>;

/**
 * The OpenID Connect issuer of bearer tokens. A claim is named as in the token, or by a path (`realm_access.roles`).
 */
export const signInConfigSchema = z.strictObject({
  /** The exact value of `iss`. */
  issuer: urlSchema,
  /** The required value of `aud`. */
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
      /** The claim with the space; without it, every token belongs to the space `default`. */
      space: nameSchema.optional(),
    })
    .prefault({}),
  /** The roles that a value of the claim gives. If it is left out, the values are the names of roles. */
  roles: z.record(nameSchema, z.array(roleSchema).min(1)).optional(),
  /** The client of browsers that sign in; without it, they sign in with keys alone. */
  browser: browserSchema.optional(),
});
export type SignInConfig = z.output<typeof signInConfigSchema>;
