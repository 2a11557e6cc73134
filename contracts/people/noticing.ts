import { z } from 'zod';
import { boundedText, eachOnce, timeZoneSchema } from '../kernel/primitives.js';
import { WEEK_DAYS } from '../constants/duration.js';

/** The limit for endpoints, which browsers supply; push services use some hundred characters. */
const ENDPOINT_CHARACTERS = 1_000;
const KEY_CHARACTERS = 100;
const MOST_HOSTS = 50;
/** An uncompressed point of P-256, and the secret of RFC 8291. */
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/** A host with an optional port; `*.` matches one or more names before it. */
const HOST = /^(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/;
const CONTACT = /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/;

/** The push services of Chrome, Edge, Firefox, Safari and browsers based on them. */
const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** A value of this many bytes in base64url, with or without padding. */
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

export const pushConfigSchema = z.strictObject({
  /** The hosts of accepted push services, because whoever signs in can choose the address. */
  hosts: z
    .array(
      boundedText(259).refine((text) => HOST.test(text), {
        params: { accepted: 'a host such as push.example.com, *.example.com or localhost:8443' },
      }),
    )
    .max(MOST_HOSTS)
    .default(PUSH_HOSTS),
  /** The contact for operators of push services: `mailto:` or `https:`; the `public_url` if absent. */
  contact: boundedText(500)
    .refine((text) => CONTACT.test(text), {
      params: { accepted: 'mailto: with an address, or an https:// URL' },
    })
    .optional(),
  words: z.boolean().default(true),
  allow_private_network: z.boolean().default(false),
});
export type PushConfig = z.output<typeof pushConfigSchema>;

export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** Our public key that the browser subscribed with. */
  readonly public_key: string;
  readonly shows_words: boolean;
}

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const clockSchema = boundedText(5)
  .refine((text) => CLOCK.test(text), { params: { accepted: 'a time from 00:00 to 23:59' } })
  .meta({ pattern: CLOCK.source });

/** When somebody wants no push and no sound. The list of questions is not affected. */
export const quietHoursSchema = z.object({
  time_zone: timeZoneSchema.describe('The time zone of these times and days, by its IANA name.'),
  from: clockSchema.describe('When it becomes quiet each day.'),
  to: clockSchema.describe(
    'When that ends, on the next day if it is earlier. The same as `from`: no hours.',
  ),
  whole_days: eachOnce(z.enum(WEEK_DAYS), WEEK_DAYS.length)
    .default([])
    .describe('Days that are quiet from midnight to midnight.'),
});
export type QuietHours = Readonly<z.output<typeof quietHoursSchema>>;

/** Reply of `GET /me/quiet-hours`. */
export const quietHoursReplySchema = z.object({
  quiet_hours: quietHoursSchema.nullable().describe('Null if no time is quiet.'),
});
