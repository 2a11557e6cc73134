import { z } from 'zod';
import { principalSchema, roleSchema } from './api-key.js';
import type { KeyHolder } from './caller.js';
import { boundedText, instantSchema, nameSchema } from '../kernel/primitives.js';

/** Longer keys would not fit into a header either. */
const KEY_CHARACTERS = 1_000;
const LINK_CHARACTERS = 100;

/** `POST /session`: what proves who signs in. A key as in `X-API-Key`, or the token of a one-time link. */
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
  });
export type OpenSession = z.output<typeof openSessionSchema>;

/** A page of the inbox, by its address. */
const PAGE = /^\/inbox(?:\/[\w-]+)*\/?(?:\?[\w.*~%&=+-]*)?$/;
const PAGE_CHARACTERS = 500;

/** `GET /session/login`: the page that the browser comes back to. */
export const loginQuerySchema = z.object({
  return_to: boundedText(PAGE_CHARACTERS)
    .refine((path) => PAGE.test(path), { params: { accepted: 'a path of the inbox' } })
    .default('/inbox'),
});

/** A session as the page of the inbox knows it. */
export const sessionSchema = z.object({
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
});
export type SessionView = z.output<typeof sessionSchema>;

/** Reply of `GET /session/methods`. */
export const signInMethodsSchema = z.object({
  key: z.boolean().describe('By a key, or by a one-time link.'),
  oidc: z.boolean().describe('At the OpenID Connect issuer, by `GET /session/login`.'),
});

/** How long people stay signed in. */
export const sessionConfigSchema = z.strictObject({
  /** Counted from signing in, whatever is done. */
  longest_seconds: z.int().min(60).max(2_592_000).default(28_800),
  /** Counted from the last request. */
  idle_seconds: z.int().min(60).max(2_592_000).default(3_600),
});
export type SessionConfig = z.output<typeof sessionConfigSchema>;

/** The proof that opened a session, and with which it ends: a key, by its digest, or a token of the issuer. */
export type SessionProof =
  | { readonly by: 'key'; readonly digest: string }
  | {
      readonly by: 'token';
      readonly caller: KeyHolder;
      /** When the token expires. */
      readonly until: string;
    };
