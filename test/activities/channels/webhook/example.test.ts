import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { SUSPENSION_ID, requestWith } from '../../../domain/suspension/notification-samples.js';
import { NEW_SECRET, OLD_SECRET, sendTo, webhookTo } from './support.js';
import { scriptOf } from '../../../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

describe('the example of a receiver', () => {
  it('takes what is signed, once, and nothing else', async () => {
    const child = spawn(process.execPath, [scriptOf('examples/webhook-receiver.ts')], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', WEBHOOK_SECRET: NEW_SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    const port = /port: (\d+)/.exec(await next())?.[1];
    const url = `http://127.0.0.1:${port}/`;
    try {
      await assert.rejects(sendTo(webhookTo(url, { secrets: [OLD_SECRET] })), {
        kind: 'response_not_2xx',
        details: { statusCode: 401, retryAfterMs: undefined },
      });
      for (let sent = 0; sent < 2; sent += 1) {
        assert.equal((await sendTo(webhookTo(url))).status_code, 204);
      }
      const amended = { attempt: 2, question_version: 2, intent_id: null };
      await sendTo(webhookTo(url), { request: requestWith(amended) });
      const approval = { proposal_hash: 'ab'.repeat(32) };
      const forged = { proposal_hash: 'cd'.repeat(32) };
      const asked = { attempt: 3, context: forged };
      await sendTo(webhookTo(url), {
        request: requestWith({ ...asked, delivery_id: 'a', approval }),
      });
      await sendTo(webhookTo(url), { request: requestWith({ ...asked, delivery_id: 'b' }) });
      const said: string[] = [];
      for (let line = 0; line < 12; line += 1) said.push(await next());
      assert.deepEqual(said, [
        'suspension.requested: Input needed: Refund 120 EUR?',
        `  POST /v1/suspensions/${SUSPENSION_ID}/respond`,
        '  {"value": …, "question_version": 1}',
        'suspension.renotified: Reminder (2): Refund 120 EUR?',
        `  POST /v1/suspensions/${SUSPENSION_ID}/respond`,
        '  {"value": …, "question_version": 2}',
        'suspension.renotified: URGENT — final reminder: Refund 120 EUR?',
        `  POST /v1/suspensions/${SUSPENSION_ID}/respond`,
        `  {"value": …, "question_version": 1, "proposal_hash": "${approval.proposal_hash}"}`,
        'suspension.renotified: URGENT — final reminder: Refund 120 EUR?',
        `  POST /v1/suspensions/${SUSPENSION_ID}/respond`,
        '  {"value": …, "question_version": 1}',
      ]);
    } finally {
      child.kill();
      await ended;
    }
  });
});
