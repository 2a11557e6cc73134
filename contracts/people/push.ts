import { z } from 'zod';
import { boundedText } from '../kernel/primitives.js';

/** What browsers make; push services use some hundred characters. */
const ENDPOINT_CHARACTERS = 1_000;
const KEY_CHARACTERS = 100;
const MOST_HOSTS = 50;
/** An uncompressed point of P-256, and the secret of RFC 8291. */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** A host, perhaps with its port; `*.` stands for one name or more before it. */
const HOST = /^(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/;
const CONTACT = /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/;

/** The push services of Chrome, Edge, Firefox, Safari and the browsers made of them. */
const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** So many bytes in base64url, with or without padding. */
function bytesSchema(bytes: number) {
  const form = new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`);
  return boundedText(KEY_CHARACTERS)
    .refine((text) => form.test(text), { params: { accepted: `${bytes} bytes in base64url` } })
    .meta({ pattern: form.source });
}

/** `PUT /me/push`: the subscription of a browser, as its `PushSubscription` has it. */
export const startPushSchema = z.object({
  endpoint: boundedText(ENDPOINT_CHARACTERS)
    .min(1)
    .describe('The address at the push service of the browser. `push.hosts` allows its host.'),
  keys: z.object({
    p256dh: bytesSchema(POINT_BYTES).describe('The public key of the browser.'),
    auth: bytesSchema(AUTH_BYTES).describe('A secret that browser and server share.'),
  }),
  shows_words: z
    .boolean()
    .default(true)
    .describe('Whether notifications say what is asked, to whoever sees the screen.'),
});
export type StartPush = z.output<typeof startPushSchema>;

/** Reply of `GET /me/push`. */
export const pushStateSchema = z.object({
  public_key: z
    .string()
    .nullable()
    .describe('The `applicationServerKey` to subscribe with; null if this server sends none.'),
  subscribed: z.boolean().describe('Whether this session gets pushes.'),
});
export type PushState = z.output<typeof pushStateSchema>;

/** How browsers that are closed are told of questions. */
export const pushConfigSchema = z.strictObject({
  /** The hosts of push services that are sent to. Browsers choose the addresses, and so whoever signs in does. */
  hosts: z
    .array(
      boundedText(259).refine((text) => HOST.test(text), {
        params: { accepted: 'a host such as push.example.com, *.example.com or localhost:8443' },
      }),
    )
    .max(MOST_HOSTS)
    .default(PUSH_HOSTS),
  /** Whom operators of push services write to: `mailto:` or `https:`; the `public_url` if left out. */
  contact: boundedText(500)
    .refine((text) => CONTACT.test(text), {
      params: { accepted: 'mailto: with an address, or an https:// URL' },
    })
    .optional(),
  /** Whether notifications may say what is asked. */
  words: z.boolean().default(true),
  allow_private_network: z.boolean().default(false),
});
export type PushConfig = z.output<typeof pushConfigSchema>;

/** A browser that is told of questions. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** Our key that it subscribed with. */
  readonly public_key: string;
  readonly shows_words: boolean;
}
