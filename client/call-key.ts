import type { JsonObject, JsonValue } from '../contracts/primitives.js';
import { subtle } from './web-crypto.js';

/**
 * The key of a tool call: its run, the model's id of the call, and a hash of the arguments as they were proposed. The hash
 * belongs to it because providers give the same id to different calls.
 */
export async function callKey(run: string, toolCallId: string, args: JsonObject): Promise<string> {
  return `${run}:${toolCallId}:${await hashOf(args)}`;
}

/** SHA-256 over the value as JSON with its keys in order, in hexadecimal digits. */
export async function hashOf(value: JsonValue): Promise<string> {
  const bytes = new TextEncoder().encode(inOrder(value));
  const digest = await subtle().digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is undefined is left out, as JSON does. */
function inOrder(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  const entries = Object.entries(value as JsonObject)
    .filter(([, one]) => (one as JsonValue | undefined) !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${inOrder(one)}`);
  return `{${entries.join(',')}}`;
}
