import { z } from 'zod';
import type { InboxSort } from '../../contracts/inbox.js';
import { instantSchema } from '../../contracts/primitives.js';
import type { InboxKey } from '../../store/queries/inbox.js';
import { refused } from './refusals.js';

const id = z.string().min(1).max(100);
const KEYS = {
  urgency: z.tuple([z.union([instantSchema, z.literal('infinity')]), z.int32(), instantSchema, id]),
  oldest: z.tuple([instantSchema, id]),
  newest: z.tuple([instantSchema, id]),
} as const satisfies Record<InboxSort, z.ZodType<InboxKey>>;

/** Where a page ended, as a text that says nothing to its reader. */
export function cursorOf(sort: InboxSort, key: InboxKey): string {
  return Buffer.from(JSON.stringify([sort, ...key])).toString('base64url');
}

/**
 * What a cursor stands for.
 *
 * @throws RefusalError `invalid_request` where it is none of this sort
 */
export function keyOf(cursor: string, sort: InboxSort): InboxKey {
  const [own, ...key] = parsed(cursor);
  const result = KEYS[sort].safeParse(key);
  if (own === sort && result.success) return result.data;
  throw refused('invalid_request', 'The cursor is none of this list.', {
    field: 'cursor',
    accepted: 'the next_cursor of a page with the same sort',
  });
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}
