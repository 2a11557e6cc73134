import { createPublicKey, verify } from 'node:crypto';
import { parseExact, whyUnread } from '../contracts/constants/exact-json.js';
import { checkpointSchema, publicKeySchema } from '../contracts/log/checkpoint.js';
import type { Checkpoint } from '../contracts/log/checkpoint.js';
import { hashOfCheckpoint, signedBytes } from '../domain/log/checkpoint.js';

/** The checkpoints prove nothing; the message says why. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** The result of checking a file of log checkpoints. */
export interface CheckedCheckpoints {
  /** The newest. */
  readonly checkpoint: Checkpoint;
  readonly count: number;
  /** The number of the first one. The chain is proven from there on. */
  readonly first: number;
}

/** Whether a text is a public key of the form `ed25519:<base64url>`. */
export function isPublicKey(text: string): boolean {
  return publicKeySchema.safeParse(text).success;
}

/**
 * Checks a file of checkpoints, one per line as delivered: the form and signature of each, and that each covers the one
 * before. The file may begin with any checkpoint and repeat one.
 *
 * @param keys - the trusted public keys
 * @throws CheckpointError with the first line that is wrong
 */
export function checkCheckpoints(text: string, keys: readonly string[]): CheckedCheckpoints {
  const seen: Checkpoint[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const checkpoint = checkpointIn(line, index + 1);
    demandSignature(checkpoint, keys);
    const last = seen.at(-1);
    if (last !== undefined && hashOfCheckpoint(last) === hashOfCheckpoint(checkpoint)) continue;
    if (last !== undefined) demandLink(last, checkpoint);
    seen.push(checkpoint);
  }
  const [first] = seen;
  const checkpoint = seen.at(-1);
  if (first === undefined || checkpoint === undefined) {
    throw new CheckpointError('there is no checkpoint in the file');
  }
  if (first.number === 1 && first.previous_hash !== null) {
    throw new CheckpointError('checkpoint 1 names another before it');
  }
  return { checkpoint, count: seen.length, first: first.number };
}

function checkpointIn(line: string, number: number): Checkpoint {
  let value: unknown;
  try {
    value = parseExact(line);
  } catch (error) {
    throw new CheckpointError(`line ${number} ${whyUnread(error)}`);
  }
  const { data } = checkpointSchema.safeParse(value);
  if (data === undefined) throw new CheckpointError(`line ${number} is no checkpoint`);
  return data;
}

function demandSignature(checkpoint: Checkpoint, keys: readonly string[]): void {
  const { number, public_key, signature } = checkpoint;
  if (!keys.includes(public_key)) {
    throw new CheckpointError(`checkpoint ${number} is signed with another key, ${public_key}`);
  }
  const x = public_key.slice('ed25519:'.length);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (verify(null, signedBytes(checkpoint), key, Buffer.from(signature, 'base64url'))) return;
  throw new CheckpointError(`checkpoint ${number} is not as it was signed`);
}

function demandLink(before: Checkpoint, next: Checkpoint): void {
  if (next.number !== before.number + 1) {
    throw new CheckpointError(
      `after checkpoint ${before.number} comes ${next.number}: others were removed`,
    );
  }
  if (next.previous_hash === hashOfCheckpoint(before)) return;
  throw new CheckpointError(
    `checkpoint ${next.number} was signed after another checkpoint ${before.number}`,
  );
}
