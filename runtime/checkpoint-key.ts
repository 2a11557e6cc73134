import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { keysIn } from './own-secrets.js';
import { StartupError, type Environment } from './program.js';

const VARIABLE = 'HOLDPOINT_CHECKPOINT_KEY';
/** The bytes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface CheckpointKey {
  /** `ed25519:` and the key in base64url. */
  readonly public_key: string;
  readonly sign: (bytes: Uint8Array) => string;
}

/**
 * Reads `HOLDPOINT_CHECKPOINT_KEY`: the 32 random bytes of an Ed25519 private key in base64. Undefined if it is not set.
 *
 * @throws StartupError if it holds something else, without its text
 */
export function loadCheckpointKey(env: Environment): CheckpointKey | undefined {
  const [seed, ...more] = keysIn(env, VARIABLE);
  if (more.length > 0) throw new StartupError(`${VARIABLE} must hold one key.`);
  return seed && checkpointKeyOf(seed);
}

export function checkpointKeyOf(seed: Uint8Array): CheckpointKey {
  const pkcs8 = Buffer.concat([PKCS8, seed]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    public_key: `ed25519:${x}`,
    sign: (bytes) => sign(null, bytes, key).toString('base64url'),
  };
}
