import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { InboxPage } from '../../contracts/suspension/view.js';
import { startStack, type Stack } from '../../service/stack.js';
import { isolatedEnv } from '../../service/settings.js';
import { lookUntil } from '../support/looks.js';
import { snippetsOf } from '../support/snippets.js';
import { installPinned } from '../support/virtual-env.js';

const MINUTE_MS = 60_000;
const CLIENT = path.resolve(import.meta.dirname, '../../python');
const TESTS = readdirSync(path.join(CLIENT, 'tests')).filter((name) => name.startsWith('test_'));
const [AGENT, OTHER, OPERATOR] = [
  { key: 'agent-key-for-the-python-client', principal: 'agent-1', roles: ['agent'] },
  { key: 'second-agent-key-for-the-python-client', principal: 'agent-2', roles: ['agent'] },
  { key: 'operator-key-for-the-python-client', principal: 'alice', roles: ['operator'] },
] as const;

describe('the Python client', function () {
  this.timeout(10 * MINUTE_MS);
  let folder: string;
  let python: string;
  let stack: Stack;
  before(async () => {
    python = await installPinned(path.join(CLIENT, 'requirements-dev.txt'), 'python');
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-python-'));
    const keys = JSON.stringify([AGENT, OTHER, OPERATOR]);
    stack = await startStack({
      dataDir: path.join(folder, 'data'),
      env: { ...isolatedEnv(process.env), HOLDPOINT_API_KEYS: keys },
      configPath: path.join(import.meta.dirname, 'openintent.yaml'),
      log: () => undefined,
    });
  });
  after(async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program in the folder of the client; rejects with all that it says if it fails. */
  async function run(program: string, ...args: readonly string[]): Promise<string> {
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      HOLDPOINT_URL: stack.apiUrl,
      AGENT_KEY: AGENT.key,
      HOLDPOINT_TEST_OTHER_KEY: OTHER.key,
      HOLDPOINT_TEST_OPERATOR_KEY: OPERATOR.key,
      HOLDPOINT_TEST_API_PID: String(stack.pids().api),
    };
    const cwd = program === python ? CLIENT : folder;
    try {
      const options = { cwd, env, timeout: 5 * MINUTE_MS };
      return (await promisify(execFile)(program, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}\n${stderr ?? ''}`, {
        cause: error,
      });
    }
  }
  const module = (...args: readonly string[]) => run(python, '-m', ...args);

  it('follows its rules of style', async () => {
    await module('ruff', 'check', '--no-cache', '.');
    await module('ruff', 'format', '--no-cache', '--check', '.');
  });

  it('is typed, for Python 3.10 and later', () =>
    module('mypy', '--strict', '--cache-dir', path.join(folder, 'mypy'), '.'));

  for (const file of TESTS) {
    it(`passes ${file}`, async () => {
      await stack.untilReady();
      const said = await module('pytest', '-q', '-p', 'no:cacheprovider', `tests/${file}`);
      assert.match(said, /^\d+ passed in/m);
    });
  }

  it('is built, installed into an empty environment, and asks from there as its README shows', async () => {
    await stack.untilReady();
    const dist = path.join(folder, 'dist');
    await module('build', '--no-isolation', '--outdir', dist, '.');
    const built = (await readdir(dist)).map((name) => path.join(dist, name)).sort();
    assert.equal(built.length, 2);
    await module('twine', 'check', '--strict', ...built);
    const empty = path.join(folder, 'empty');
    await run('python3', '-m', 'venv', empty);
    const wheel = built.find((name) => name.endsWith('.whl')) ?? '';
    await run(path.join(empty, 'bin/pip'), 'install', '--quiet', wheel);
    const started = async (page: string): Promise<string> => {
      const [first = ''] = snippetsOf(page, 'python');
      const script = path.join(folder, `${path.dirname(page)}.py`);
      await writeFile(script, first);
      return run(path.join(empty, 'bin/python'), '-I', script);
    };
    const asked = started('python/README.md');
    const question = await lookUntil(async () => {
      const { suspensions } = (await call('/suspensions?state=pending')) as InboxPage;
      return suspensions.find(({ record }) => record.question === 'Refund order #12345?')?.id;
    }, 'nobody asks');
    await call(`/suspensions/${question}/respond`, { value: 'yes', comment: 'It was late.' });
    assert.match(await asked, /^True alice /);
    const gated = started('README.md');
    const request = await lookUntil(async () => {
      const query = '/approvals?run_id=invoice-17&status=pending';
      const { approvals } = (await call(query)) as { approvals: ApprovalView[] };
      return approvals.find(({ suspension_id }) => suspension_id !== null)?.approval_id;
    }, 'nobody asks for approval');
    await call(`/requests/${request}/resume`, { action: 'approve' });
    assert.equal(await gated, 'Wired 500 to ACME.\n');
  });

  /** Reads or posts as a person. */
  async function call(route: string, body?: object): Promise<unknown> {
    const reply = await fetch(`${stack.apiUrl}/v1${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': OPERATOR.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    assert.ok(reply.ok, `${route}: ${reply.status} ${text}`);
    return JSON.parse(text);
  }
});
