import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import canonicalize from 'canonicalize';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { utf8Bytes } from './text.js';

/** SHA-256 of a text as UTF-8, in 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8Bytes(text)));
}

/** The canonical form of a JSON value (RFC 8785). Every value has one, although the package's types allow undefined. */
export function canonicalJson(value: JsonValue): string {
  return canonicalize(value) as string;
}

/** SHA-256 of a value as RFC 8785 canonical JSON. The order of keys and white space do not matter. */
export function hashJson(value: JsonValue): string {
  return sha256Hex(canonicalJson(value));
}

/** The digest of `hashJson` in base64url without padding, 43 characters. */
export function hashJsonBase64Url(value: JsonValue): string {
  return base64urlnopad.encode(sha256(utf8Bytes(canonicalJson(value))));
}

/** HMAC-SHA-256 of a text under a key, both as UTF-8, in base64url without padding: 43 characters. */
export function hmacBase64Url(key: string, text: string): string {
  return base64urlnopad.encode(hmac(sha256, utf8Bytes(key), utf8Bytes(text)));
}

/** Derives a UUID (version 8 of RFC 9562) from a text. The same text always gives the same UUID. */
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
