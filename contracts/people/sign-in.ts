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

export const urlSchema = boundedText(URL_CHARACTERS).refine(isSafe, {
  params: { accepted: 'an https:// URL, or an http:// one on loopback' },
});

const SCOPE_CHARACTERS = 500;

/** How people sign in at the issuer with a browser. This service is the client. */
const browserSchema = z.strictObject({
  client_id: nameSchema,
  /** The environment variable that contains it; absent for a public client. */
  client_secret: boundedText(SCOPE_CHARACTERS)
    .refine(isVariable, {
      params: { accepted: '$NAME of an environment variable' },
    })
    .optional(),
  scope: boundedText(SCOPE_CHARACTERS).min(1).default('openid'),
  /** The token that identifies who signs in. An access token must be for `audience`. */
  claims_from: z.enum(['id_token', 'access_token']).default('id_token'),
  /** Other parameters that the issuer demands, such as `audience` or `resource`. */
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
  /** Where the issuer publishes its keys; found by discovery if absent. */
  jwks_uri: urlSchema.optional(),
  clock_skew_seconds: z.int().min(0).max(300).default(30),
  claims: z
    .strictObject({
      principal: nameSchema.default('sub'),
      roles: nameSchema.default('roles'),
      groups: nameSchema.default('groups'),
      /** The claim that contains the space; without it, every token belongs to the space `default`. */
      space: nameSchema.optional(),
    })
    .prefault({}),
  /** The roles for each value of the claim. If absent, the values are the names of roles. */
  roles: z.record(nameSchema, z.array(roleSchema).min(1)).optional(),
  /** The client for browsers that sign in; without it, they sign in only with keys. */
  browser: browserSchema.optional(),
});
export type SignInConfig = z.output<typeof signInConfigSchema>;
