import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/failures.js';
import { FakeServer } from '../client/support/fake-server.js';
import { pending, settled } from '../client/support/samples.js';
import { runWith, type Ended } from './support.js';

const STREAM = 'GET /v1/suspensions/subscribe';
const { id } = pending();
const SSE = { 'content-type': 'text/event-stream', 'holdpoint-feed-position': '5' };
const OPENED = { id, state: 'pending', change: 'opened' };
const SETTLED = { id, state: 'settled', change: 'settled' };

function frame(position: number, event: string, data: object): string {
  return `id: ${position}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Watches until so many lines are there, and then presses Ctrl-C. */
async function watched(
  lines: number,
  args: readonly string[] = [],
): Promise<Ended & { since: unknown }> {
  const server = new FakeServer()
    .on(
      STREAM,
      { headers: SSE, text: frame(6, 'suspension', OPENED) },
      { headers: SSE, text: frame(7, 'reset', {}) + frame(8, 'suspension', SETTLED) },
      'silent',
    )
    .on(`GET /v1/suspensions/${id}`, { body: pending() }, { body: settled() });
  await server.start();
  const ctrlC = new AbortController();
  let seen = 0;
  try {
    const ended = await runWith(
      { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: 'key-of-an-operator' },
      ['watch', ...args],
      {
        interrupted: ctrlC.signal,
        now: Date.parse('2026-11-20T10:00:00.000Z'),
        onLine: () => {
          seen += 1;
          if (seen === lines) ctrlC.abort(new Error('interrupted'));
        },
      },
    );
    return { ...ended, since: server.requests(STREAM)[0]?.headers['last-event-id'] };
  } finally {
    await server.stop();
  }
}

describe('holdpoint watch', () => {
  it('says as it happens what changes, over lost connections, until Ctrl-C', async () => {
    const { code, out, since } = await watched(3);
    assert.equal(code, EXIT.interrupted);
    assert.equal(since, undefined);
    assert.deepEqual(out.split('\n'), [
      '10:00:00Z  opened    5f1e3c4a Should we refund order #12345?',
      '10:00:00Z  Some changes were missed: look at the inbox.',
      '10:00:00Z  settled   5f1e3c4a Should we refund order #12345?  → approve',
      '',
    ]);
  });

  it('prints an object a line for scripts, and begins where it is told', async () => {
    const { out, since } = await watched(3, ['--json', '--since', '4']);
    assert.equal(since, '4');
    assert.deepEqual(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { kind: 'suspension', last_event_id: '6', ...OPENED },
        { kind: 'reset', last_event_id: '7' },
        { kind: 'suspension', last_event_id: '8', ...SETTLED },
      ],
    );
  });
});
