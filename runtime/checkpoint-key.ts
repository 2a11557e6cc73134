import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_CHECKPOINT_KEY';
const SEED_BYTES = 32;
/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** What signs checkpoints. */
export interface CheckpointKey {
  /** `ed25519:` and the key in base64url. */
  readonly public_key: string;
  /** Returns the signature of bytes in base64url. */
  readonly sign: (bytes: Uint8Array) => string;
}

/**
 * Reads `HOLDPOINT_CHECKPOINT_KEY`: the 32 random bytes of an Ed25519 private key in base64. Undefined if it is not set.
 *
 * @throws StartupError if it holds something else, without its text
 */
export function loadCheckpointKey(
  env: Readonly<Record<string, string | undefined>>,
): CheckpointKey | undefined {
  const text = (env[VARIABLE] ?? '').trim();
  if (text === '') return undefined;
  const seed = Buffer.from(text, 'base64');
  if (seed.length !== SEED_BYTES) {
    throw new StartupError(
      `${VARIABLE} must hold 32 bytes in base64: make it with "openssl rand -base64 32".`,
    );
  }
  return checkpointKeyOf(seed);
}

/** The key that 32 bytes are. */
export function checkpointKeyOf(seed: Uint8Array): CheckpointKey {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    public_key: publicKeyOf(key),
    sign: (bytes) => sign(null, bytes, key).toString('base64url'),
  };
}

/** A new key in the form of the variable. */
export function newCheckpointKey(): string {
  return randomBytes(SEED_BYTES).toString('base64');
}

function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return `ed25519:${x ?? ''}`;
}
