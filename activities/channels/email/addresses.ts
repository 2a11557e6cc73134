import { createRequire } from 'node:module';
import { unaddressed } from '../../../domain/kernel/shown-text.js';

/** What the name of a host on the internet can end with, and what those of tests and of inner networks end with. */
const LAST_PARTS: ReadonlySet<string> = new Set([
  ...(createRequire(import.meta.url)('tlds') as readonly string[]),
  'example',
  'home',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'onion',
  'test',
]);

/**
 * A text in which mail programs and Slack find no address, for subjects, plain text and notifications, where nothing else
 * keeps them from making links. Names that end like no host, such as `prod.yaml`, stay as they are.
 */
export function neutralised(text: string): string {
  return unaddressed(text, (part) => LAST_PARTS.has(part));
}
