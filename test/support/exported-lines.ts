import assert from 'node:assert/strict';
import type { KeyName, RealStack } from './real-stack.js';

/** The lines of an export. */
export async function exportedLines(
  stack: RealStack,
  path: string,
  key: KeyName = 'operator',
): Promise<string[]> {
  const reply = await stack
    .get(path, key)
    .buffer(true)
    .parse((body, done) => {
      let text = '';
      body.on('data', (chunk: Buffer) => (text += chunk.toString()));
      body.on('end', () => done(null, text));
    });
  assert.equal(reply.status, 200);
  return (reply.body as string).trimEnd().split('\n');
}
