import type { Request } from 'express';
import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { boundedText } from '../../contracts/kernel/primitives.js';
import { RefusalError } from '../errors.js';

/** At most 15 digits, because a double holds every such number exactly. */
const FEED_POSITION = /^\d{1,15}$/;
const IF_MATCH = /^(?:W\/)?(?:"(\d{1,15})"|(\d{1,15}))$/;

/** Reads the version that a write builds on: `If-Match: 3`, `"3"` or `W/"3"`. */
export function versionIn(req: Request): number | 'missing' | 'malformed' {
  const header = req.get('If-Match')?.trim();
  if (header === undefined || header === '') return 'missing';
  const match = IF_MATCH.exec(header);
  return match === null ? 'malformed' : Number(match[1] ?? match[2]);
}

/**
 * Reads the version a write builds on.
 *
 * @throws RefusalError `precondition_required` if it is missing, `invalid_request` if it is no integer
 */
function ifMatchOf(req: Request): number {
  const version = versionIn(req);
  if (typeof version === 'number') return version;
  const isMissing = version === 'missing';
  throw new RefusalError({
    code: isMissing ? 'precondition_required' : 'invalid_request',
    detail: isMissing ? 'Send the version you read as If-Match.' : 'If-Match is not a version.',
    field: 'If-Match',
    accepted: 'an integer, with or without quotes',
  });
}

/**
 * Reads the optional `Idempotency-Key`.
 *
 * @throws RefusalError `invalid_request` if it is empty or longer than 200 characters
 */
function idempotencyKeyOf(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key === undefined || (key !== '' && key.length <= LIMITS.nameCharacters)) return key;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'Idempotency-Key is empty or too long.',
    field: 'Idempotency-Key',
    accepted: `1 to ${LIMITS.nameCharacters} characters`,
  });
}

/**
 * Reads the optional `Last-Event-ID`: the position in the feed after which a stream begins.
 *
 * @throws RefusalError `invalid_request` if it is no position
 */
function lastEventIdOf(req: Request): number | undefined {
  const id = req.get('Last-Event-ID');
  if (id === undefined || id === '') return undefined;
  if (FEED_POSITION.test(id)) return Number(id);
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'Last-Event-ID is not the id of a frame.',
    field: 'Last-Event-ID',
    accepted: 'the id of a frame that this server has sent, or 0 for all there is',
  });
}

/** A header of Standard Webhooks. A missing one is read as an empty text, which fits no signature. */
function signedHeader(name: string, example: string, description: string) {
  return {
    schema: boundedText(LIMITS.questionCharacters).min(1),
    required: true,
    example,
    description,
    read: (req: Request): string => req.get(name)?.slice(0, LIMITS.questionCharacters) ?? '',
  };
}

/** Headers that a request may carry, each with its form, its reader and its description. */
export const REQUEST_HEADERS = {
  'If-Match': {
    schema: boundedText(20).regex(IF_MATCH),
    required: true,
    example: '"3"',
    description: 'The version the write builds on: the `ETag` of the intent as it was read.',
    read: ifMatchOf,
  },
  'Idempotency-Key': {
    schema: z.string().min(1).max(LIMITS.nameCharacters),
    required: false,
    example: 'refund-12345',
    description: 'Makes a repetition safe: the same key and body return the first result again.',
    read: idempotencyKeyOf,
  },
  'Last-Event-ID': {
    schema: boundedText(15).regex(FEED_POSITION),
    required: false,
    example: '41',
    description:
      'The last id that was read: the stream goes on after it. Without it the stream begins now.',
    read: lastEventIdOf,
  },
  'webhook-id': signedHeader(
    'webhook-id',
    'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
    'The id of the message. The same id and body return the first result again.',
  ),
  'webhook-timestamp': signedHeader(
    'webhook-timestamp',
    '1763632800',
    'When it was sent, in seconds since 1970; at most five minutes ago.',
  ),
  'webhook-signature': signedHeader(
    'webhook-signature',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    'The signature by Standard Webhooks, over id, timestamp and body.',
  ),
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type HeaderValues = {
  readonly [Name in RequestHeader]: ReturnType<(typeof REQUEST_HEADERS)[Name]['read']>;
};
