import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AgentStates } from '../contracts/approval/requests.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import { keysIn } from './own-secrets.js';
import type { Environment } from './program.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const CLEAR = 'json:';
const SEALED = 'a256gcm:';

/**
 * Reads `HOLDPOINT_STATE_KEYS`: the first key encrypts states, all of them decrypt. Without it, states are in clear
 * text.
 * @throws StartupError as `keysIn`
 */
export function loadAgentStates(env: Environment): AgentStates {
  return createAgentStates(keysIn(env, 'HOLDPOINT_STATE_KEYS'));
}

/** Encrypts with the first key and decrypts with all; without any, states stay in clear text. */
export function createAgentStates(keys: readonly Uint8Array[]): AgentStates {
  const [current] = keys;
  return {
    seal(state, owner) {
      const text = JSON.stringify(state);
      return current === undefined ? CLEAR + text : SEALED + encrypted(current, text, owner);
    },
    open(sealed, owner) {
      if (sealed.startsWith(CLEAR)) return JSON.parse(sealed.slice(CLEAR.length)) as JsonValue;
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
      for (const key of keys) {
        const text = decrypted(key, bytes, owner);
        if (text !== undefined) return JSON.parse(text) as JsonValue;
      }
      return undefined;
    },
  };
}

function encrypted(key: Uint8Array, text: string, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(boundTo(owner));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypted(key: Uint8Array, bytes: Buffer, owner: string): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function boundTo(owner: string): Buffer {
  return createHash('sha256').update(owner).digest();
}
