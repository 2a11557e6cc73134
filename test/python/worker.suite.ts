import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { InboxPage } from '../../contracts/suspension/view.js';
import { isolatedEnv } from '../../service/settings.js';
import { startStack, type Stack } from '../../service/stack.js';
import { lookUntil } from '../support/looks.js';
import { installPinned } from '../support/virtual-env.js';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/python-worker');
const OPERATOR = 'operator-key-for-the-python-worker';
const KEYS = [{ key: OPERATOR, principal: 'alice', roles: ['operator'] }];

describe('a Temporal worker in Python', function () {
  this.timeout(600_000);
  let folder: string;
  let python: string;
  let stack: Stack;
  const started: ChildProcess[] = [];

  before(async () => {
    python = await installPinned(path.join(EXAMPLE, 'requirements.txt'), 'python');
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-python-worker-'));
    stack = await startStack({
      dataDir: path.join(folder, 'data'),
      env: { ...isolatedEnv(process.env), HOLDPOINT_API_KEYS: JSON.stringify(KEYS) },
      log: () => undefined,
    });
    await stack.untilReady();
  });
  after(async () => {
    for (const one of started) one.kill('SIGKILL');
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function run(...args: readonly string[]): ChildProcess & { readonly said: () => string } {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      TEMPORAL_ADDRESS: stack.temporalAddress,
    };
    const child = spawn(python, args, { cwd: EXAMPLE, env });
    started.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => (said += part.toString()));
    }
    return Object.assign(child, { said: () => said });
  }

  async function worker(): Promise<ChildProcess> {
    const child = run('worker.py');
    await lookUntil(async () => child.said().includes('the worker runs'), child.said);
    return child;
  }

  async function call(route: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { 'x-api-key': OPERATOR, 'content-type': 'application/json' };
    const reply = await fetch(`${stack.apiUrl}/v1/suspensions${route}`, { ...init, headers });
    assert.ok(reply.ok, `${route}: ${reply.status}`);
    return reply.json();
  }

  it('asks by the name of a child, and goes on where it was after it was killed while it waited', async () => {
    const first = await worker();
    const refund = run('start.py', '12345');
    const ended = once(refund, 'exit');
    const asked = await lookUntil(async () => {
      const { suspensions } = (await call('?state=pending')) as InboxPage;
      return suspensions[0];
    }, refund.said);
    assert.equal(asked.record.question, 'Refund order #12345?');
    assert.equal(asked.asked_by, 'refund-12345');
    const gone = once(first, 'exit');
    first.kill('SIGKILL');
    await gone;
    await call(`/${asked.id}/respond`, { method: 'POST', body: JSON.stringify({ value: 'yes' }) });
    await worker();
    const [code] = (await ended) as [number];
    assert.match(refund.said(), /order #12345 is refunded/);
    // A thread of Temporal's SDK may crash Python while it ends, after all is said.
    assert.ok(code === 0 || /Python runtime state: finalizing/.test(refund.said()), refund.said());
  });
});
