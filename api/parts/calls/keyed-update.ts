import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import type { Once, Under } from '../../../workflows/engine/messages.js';
import { idempotencyKeyReused } from '../refusals.js';
import type { Outcome } from './call.js';
import type { KeyedWrite } from './request.js';

/** 128 bits of a hash. */
const HASH_CHARACTERS = 32;

/** By what the Updates of a request are recognised. */
export function onceOf({ key, write, body }: KeyedWrite): Once {
  // Absent and undefined are the same to JSON.
  const sent = JSON.parse(JSON.stringify(body)) as JsonObject;
  return {
    key: sha256Hex(JSON.stringify([...write, key])).slice(0, HASH_CHARACTERS),
    body_hash: hashJson(sent).slice(0, HASH_CHARACTERS),
  };
}

/** The id of an Update under an Idempotency-Key: the same each time, so that Temporal returns the first result. */
export function idUnder({ key }: Once, { name }: { readonly name: string }): string {
  return `k:${name}:${key}`;
}

/** The first result under a key. Throws `idempotency_key_reused` if that was of another body. */
export function firstOf<R>(first: Outcome<Under<R>>, { body_hash }: Once): Outcome<R> {
  if (first.kind !== 'done') return first;
  if (first.value.body_hash !== body_hash) throw idempotencyKeyReused();
  return { kind: 'done', value: first.value.result };
}
