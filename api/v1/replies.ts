import { z } from 'zod';
import type { Listed, Page, Read } from '../parts/caller.js';
import { reply, staleness, versionTag } from '../http/reply.js';

/*
 * The forms of most replies of /v1. Each can `declare` itself for a route, and build the `reply` from the result of the
 * use case.
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

/** A page of a list, under the name of its entries. */
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

/** The field with the offset of the next page. */
export const NEXT = {
  next_offset: z
    .int()
    .nullable()
    .describe(
      'The `offset` of the next page; null on the last one. A page may end before its limit, for its bytes are limited too.',
    ),
};

/** Returns the offset of the next page. */
export function nextOf({ value, more }: Listed<unknown>, { offset }: Offset) {
  return { next_offset: more ? offset + value.length : null };
}

/** Something with a version, which the next write names in `If-Match`. */
export const VERSIONED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 200: { description, body, headers: ['ETag'] } }) as const,
  reply: <T extends Versioned>(value: T) => reply(200, value, versionTag(value)),
};

/** A read of something with a version. */
export const VERSIONED_READ = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 200: { description, body, headers: ['ETag', 'Holdpoint-Stale'] } }) as const,
  reply: <T extends Versioned>(read: Read<T>) =>
    reply(200, read.value, { ...versionTag(read.value), ...staleness(read) }),
};

/** Something that a request created, and its address. */
export const CREATED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 201: { description, body, headers: ['Location'] } }) as const,
  reply: <T>(value: T, Location: string) => reply(201, value, { Location }),
};

/** The same for something with a version. */
export const VERSIONED_CREATED = {
  declare: <Body extends Schema>(description: string, body: Body) =>
    ({ 201: { description, body, headers: ['ETag', 'Location'] } }) as const,
  reply: <T extends Versioned>(value: T, Location: string) =>
    reply(201, value, { ...versionTag(value), Location }),
};
