import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import canonicalize from 'canonicalize';
import type { JsonValue } from '../../contracts/primitives.js';
import { utf8Bytes } from './text.js';

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8Bytes(text)));
}

/** SHA-256 over a value's RFC 8785 canonical JSON, so that neither key order nor spacing counts. */
export function hashJson(value: JsonValue): string {
  return sha256Hex(canonicalize(value) ?? '');
}

/** The same digest as `hashJson`, in base64url without padding: 43 characters. */
export function hashJsonBase64Url(value: JsonValue): string {
  return base64urlnopad.encode(sha256(utf8Bytes(canonicalize(value) ?? '')));
}

/** The UUID that belongs to a text: always the same one, version 8 of RFC 9562. */
export function uuidFrom(text: string): string {
  const digits = sha256Hex(text);
  const variant = ((parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
