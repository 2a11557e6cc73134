import { z } from 'zod';
import type { Listed, Page, Read } from '../parts/caller.js';
import { reply, staleness, versionTag } from '../http/reply.js';
import { refusalOf } from '../errors.js';
import { idempotencyKeyReused } from '../parts/refusals.js';

/*
 * The forms of most replies of /v1. Each can `declare` itself for a route, and build the `reply` from the use case's
 * result.
 */

type Schema = z.ZodType;
type Offset = Pick<Page, 'offset'>;
type Versioned = Parameters<typeof versionTag>[0];

/** A read, which may lag behind the caller's last write. */
export const READ = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 200: { description, body, headers: ['Holdpoint-Stale'] } }) as const,
  reply: <T>(read: Read<T>) => reply(200, read.value, staleness(read)),
};

export const PAGE = {
  declare<Name extends string, Element extends Schema>(
    name: Name,
    element: Element,
    description = `A page of ${name}.`,
  ) {
    const list = z.array(element).readonly();
    const named = { [name]: list } as Readonly<Record<Name, typeof list>>;
    return READ.declare(description, z.object({ ...named, ...NEXT }));
  },
  reply<Name extends string, T>(name: Name, page: Listed<T>, offset: Offset) {
    const named = { [name]: page.value } as Readonly<Record<Name, readonly T[]>>;
    return reply(200, { ...named, ...nextOf(page, offset) }, staleness(page));
  },
};

export const NEXT = {
  next_offset: z
    .int()
    .nullable()
    .describe(
      'The `offset` of the next page; null on the last one. A page may end before its limit, for its bytes are limited too.',
    ),
};

export function nextOf({ value, more }: Listed<unknown>, { offset }: Offset) {
  return { next_offset: more ? offset + value.length : null };
}

/** Something with a version, which the next write names in `If-Match`. */
export const VERSIONED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 200: { description, body, headers: ['ETag'] } }) as const,
  reply: <T extends Versioned>(value: T) => reply(200, value, versionTag(value)),
};

export const VERSIONED_READ = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 200: { description, body, headers: ['ETag', 'Holdpoint-Stale'] } }) as const,
  reply: <T extends Versioned>(read: Read<T>) =>
    reply(200, read.value, { ...versionTag(read.value), ...staleness(read) }),
};

export const CREATED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 201: { description, body, headers: ['Location'] } }) as const,
  reply: <T>(value: T, Location: string) => reply(201, value, { Location }),
};

export const VERSIONED_CREATED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 201: { description, body, headers: ['ETag', 'Location'] } }) as const,
  reply: <T extends Versioned>(value: T, Location: string) =>
    reply(201, value, { ...versionTag(value), Location }),
};

/** The body of a request that asks; a repetition finds the question or approval by `request_key`. */
interface Asking {
  readonly request_key?: string | undefined;
}

/**
 * Returns the `Idempotency-Key` where it names what is asked. A different `request_key` in the body counts more: HTTP
 * libraries put a new key on each request, and an agent that asks again still finds its question.
 */
export function namingKey(key: string | undefined, { request_key }: Asking): string | undefined {
  return request_key === undefined || request_key === key ? key : undefined;
}

/**
 * Asks under a key that becomes the `request_key`.
 * @throws RefusalError `idempotency_key_reused`, and the errors of `ask`
 */
export async function askedUnder<Body extends Asking, Asked>(
  key: string | undefined,
  body: Body,
  ask: (body: Body) => Promise<Asked>,
): Promise<Asked> {
  if (key === undefined) return ask(body);
  try {
    return await ask({ ...body, request_key: key });
  } catch (error) {
    throw refusalOf(error)?.code === 'request_key_reused' ? idempotencyKeyReused() : error;
  }
}
