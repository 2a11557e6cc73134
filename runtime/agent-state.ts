import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AgentStates } from '../contracts/approval-requests.js';
import type { JsonValue } from '../contracts/primitives.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_STATE_KEYS';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const CLEAR = 'json:';
const SEALED = 'a256gcm:';

/**
 * Reads `HOLDPOINT_STATE_KEYS`: keys of 32 random bytes in base64, with commas between them. The first seals, all of them
 * open. Without the variable, states are kept in clear text.
 *
 * @throws StartupError if one has another length; the message does not repeat it
 */
export function loadAgentStates(env: Readonly<Record<string, string | undefined>>): AgentStates {
  const text = (env[VARIABLE] ?? '').trim();
  const keys = text === '' ? [] : text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  const wrong = keys.findIndex(({ length }) => length !== KEY_BYTES);
  if (wrong === -1) return createAgentStates(keys);
  throw new StartupError(
    `${VARIABLE}: key ${wrong + 1} must be 32 bytes in base64: make it with "openssl rand -base64 32".`,
  );
}

/** Seals with the first of the keys and opens with all; without any, states stay in clear text. */
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
