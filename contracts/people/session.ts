import { z } from 'zod';
import { principalSchema, roleSchema } from './api-key.js';
import type { KeyHolder } from './caller.js';
import { boundedText, instantSchema, nameSchema } from '../kernel/primitives.js';

/** Longer keys do not fit into a header. */
const KEY_CHARACTERS = 1_000;
const LINK_CHARACTERS = 100;

/** `POST /session`: the proof of who signs in. It is a key as in `X-API-Key`, or the token of a one-time link. */
export const openSessionSchema = z
  .object({
    key: z.exactOptional(
      boundedText(KEY_CHARACTERS).min(1).describe('As in `X-API-Key`. Either this or `link`.'),
    ),
    link: z.exactOptional(
      boundedText(LINK_CHARACTERS).min(1).describe('What stands after `#` in a one-time link.'),
    ),
  })
  .refine(({ key, link }) => (key === undefined) !== (link === undefined), {
    path: ['key'],
    params: { accepted: 'either key or link' },
  })
  .meta({ id: 'OpenSessionRequest' });
export type OpenSession = z.output<typeof openSessionSchema>;

const PAGE = /^\/inbox(?:\/[\w-]+)*\/?(?:\?[\w.*~%&=+-]*)?$/;
const PAGE_CHARACTERS = 500;

/** `GET /session/login`: the page to which the browser returns. */
export const loginQuerySchema = z.object({
  return_to: boundedText(PAGE_CHARACTERS)
    .refine((path) => PAGE.test(path), { params: { accepted: 'a path of the inbox' } })
    .default('/inbox'),
});

export const sessionSchema = z
  .object({
    space: nameSchema,
    principal: principalSchema,
    roles: z.array(roleSchema),
    csrf: z
      .string()
      .describe('What `X-CSRF-Token` has to hold in every request that changes something.'),
    expires_at: instantSchema.describe('When it ends, whatever happens.'),
    idle_expires_at: instantSchema.describe('When it ends if nothing is done before.'),
    image_hosts: z
      .array(z.string())
      .readonly()
      .describe('The hosts from which the page may load pictures of other sites.'),
  })
  .meta({ id: 'Session' });
export type SessionView = z.output<typeof sessionSchema>;

/** Reply of `GET /session/methods`. */
export const signInMethodsSchema = z.object({
  key: z.boolean().describe('By a key, or by a one-time link.'),
  oidc: z.boolean().describe('At the OpenID Connect issuer, by `GET /session/login`.'),
});

export const sessionConfigSchema = z.strictObject({
  /** Counted from the sign-in, regardless of activity. */
  longest_seconds: z.int().min(60).max(2_592_000).default(28_800),
  /** Counted from the last request. */
  idle_seconds: z.int().min(60).max(2_592_000).default(3_600),
});
export type SessionConfig = z.output<typeof sessionConfigSchema>;

/**
 * The proof that opened a session: the digest of a key, or a token of the issuer. The session ends when the proof
 * does.
 */
export type SessionProof =
  | { readonly by: 'key'; readonly digest: string }
  | {
      readonly by: 'token';
      readonly caller: KeyHolder;
      readonly until: string;
    };

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
