import { text } from 'node:stream/consumers';
import { HOW_TO_HASH, hashedKey } from './api-keys.js';
import { StartupError, runMain } from './program.js';

/** `holdpoint hash-key`: reads a key from its input and prints the digest by which it is configured. */
async function main(): Promise<void> {
  if (process.stdin.isTTY) throw new StartupError(`Send the key to its input: ${HOW_TO_HASH}`);
  const key = (await text(process.stdin)).replace(/\r?\n$/, '');
  process.stdout.write(`${hashedKey(key)}\n`);
}

await runMain(main);
