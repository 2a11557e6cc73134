import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { isObject } from '../../kernel/message-form.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The comment and the data that come with the value of an answer (JC-38). */
export interface Notes {
  readonly comment?: string;
  readonly data?: JsonObject;
}

type MaybeNoted = { readonly [K in keyof Notes]?: Notes[K] | undefined };

interface Noted extends MaybeNoted {
  readonly metadata?: JsonObject | undefined;
}

/** The notes of an answer, a vote or a record; those that are not there are left out. */
export function notesIn({ comment, data }: MaybeNoted): Notes {
  return defined({ comment, data });
}

/** Moves comment and data out of the metadata, where the OpenIntent API has them, and keeps all else. */
export function withNotesInPlace<T extends Noted>(answer: T): T {
  const { metadata, ...rest } = answer;
  if (metadata === undefined) return answer;
  const { comment, data } = metadata;
  const moved = {
    ...(typeof comment === 'string' && answer.comment === undefined && { comment }),
    ...(isObject(data) && answer.data === undefined && { data }),
  };
  const names = Object.keys(moved);
  if (names.length === 0) return answer;
  const left = Object.entries(metadata).filter(([name]) => !names.includes(name));
  const kept = left.length > 0 && { metadata: Object.fromEntries(left) };
  return { ...rest, ...kept, ...moved } as unknown as T;
}

/** The metadata as the OpenIntent API has them, with the notes inside; undefined if there are none. */
export function metadataWithNotes({ metadata, ...noted }: Noted): JsonObject | undefined {
  const all = { ...metadata, ...notesIn(noted) };
  return Object.keys(all).length === 0 ? metadata : all;
}
