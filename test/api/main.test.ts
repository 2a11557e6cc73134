import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { apiSettings } from '../../api/settings.js';
import { StartupError } from '../../runtime/program.js';
import { lookUntil } from '../support/looks.js';
import { scriptOf } from '../support/scripts.js';

const MAIN = scriptOf('api/main.ts');
/** Nothing listens at port 1: neither Temporal nor the store is there. */
const AWAY = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
};
const AT_ONCE = { HOLDPOINT_STOP_NOTICE_SECONDS: '0' };

const METRICS = /^Metrics on (http:\/\/127\.0\.0\.1:\d+\/metrics)$/;

function launch(env: NodeJS.ProcessEnv): ChildProcess {
  const { PATH } = process.env;
  const options = { env: { PATH, ...env }, silent: true };
  return fork(MAIN, options);
}

/** Starts the API and resolves when it says that it is ready. */
async function start(env: NodeJS.ProcessEnv = {}) {
  const child = launch({ ...AWAY, PORT: '0', ...AT_ONCE, ...env });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  assert.ok(child.stdout);
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    const url = /^Holdpoint API ready on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    if (url !== undefined) return { child, exited, url, lines };
  }
  throw new Error(`The API ended before it was ready: ${lines.join('\n')}`);
}

describe('npm run api with nothing there', () => {
  let api: Awaited<ReturnType<typeof start>>;
  before(async () => {
    api = await start({ HOST: '0.0.0.0', HOLDPOINT_API_METRICS: '0' });
  });

  it('starts on loopback, and prints its address', async () => {
    const { url, lines } = api;
    const reply = await fetch(`${url}/ready`);
    const body = (await reply.json()) as { dependencies: Record<string, { ok: boolean }> };
    assert.equal(reply.status, 503);
    assert.deepEqual(
      Object.entries(body.dependencies).map(([name, { ok }]) => [name, ok]),
      [
        ['api', true],
        ['temporal', false],
        ['worker', false],
        ['store', false],
      ],
    );
    assert.equal(lines.filter((line) => line.includes('dev-')).length, 6);
    assert.match(lines[0] ?? '', /loopback only.* HOST=0\.0\.0\.0 is not used without them\.$/);
  });

  it('serves its metrics beside the API and not on its port', async () => {
    const { url, lines } = api;
    const [metrics = ''] = lines.flatMap((line) => METRICS.exec(line)?.[1] ?? []);
    assert.equal((await fetch(`${url}/metrics`)).status, 404);
    await fetch(`${url}/health`);
    const text = await lookUntil(async () => {
      const body = await (await fetch(metrics)).text();
      return body.includes('route="/health",status="200"} 1') && body;
    }, 'the request was not counted');
    assert.match(text, /^holdpoint_store_up 0$/m);
    assert.match(text, /^holdpoint_http_requests_total\{.*route="none",status="404"\} 1$/m);
  });

  it('ends when the process that started it is gone', async () => {
    const { child, exited } = api;
    child.disconnect();
    assert.deepEqual(await exited, [0, null]);
  });
});

describe('npm run api', () => {
  it('says what a wildcard opens it to', async () => {
    const keys = [{ key: `sha256:${'0a'.repeat(32)}`, principal: 'a', roles: ['agent'] }];
    const settings = { ...AWAY, ...AT_ONCE, PORT: '0', HOST: '0.0.0.0' };
    const child = launch({ ...settings, HOLDPOINT_API_KEYS: JSON.stringify(keys) });
    assert.ok(child.stdout);
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    assert.match((await said.next()).value ?? '', /^Holdpoint API ready on http:\/\/127\.0\.0\.1:/);
    assert.match(
      (await said.next()).value ?? '',
      /^It listens on 0\.0\.0\.0:\d+: every network of this machine reaches it\.$/,
    );
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('answers on when it is asked to stop, and is not ready, until the notice is over', async () => {
    const { child, exited, url } = await start({ HOLDPOINT_STOP_NOTICE_SECONDS: '6' });
    child.kill('SIGTERM');
    const seen = await lookUntil(async () => {
      const reply = await fetch(`${url}/ready`);
      const { dependencies } = (await reply.json()) as {
        dependencies: Record<string, { ok: boolean }>;
      };
      return dependencies['api']?.ok === false && reply.status;
    }, 'the API did not say that it is about to stop');
    assert.equal(seen, 503);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    assert.deepEqual(await exited, [0, null]);
  });

  const REFUSED = [
    [
      { TEMPORAL_ADDRESS: 'http://t:7233' },
      /^The address of Temporal is http:\/\/t:7233: it must be/,
    ],
    [{ PORT: 'http' }, /^PORT is "http"/],
  ] as const;
  for (const [env, message] of REFUSED) {
    it(`says in one line that ${message.source.slice(1)} (${Object.values(env).join('')})`, async () => {
      const child = launch({ ...AWAY, ...env });
      const shown: string[] = [];
      child.stderr?.on('data', (chunk: Buffer) => shown.push(chunk.toString()));
      assert.deepEqual(await once(child, 'close'), [1, null]);
      assert.match(shown.join(''), message);
      assert.match(shown.join(''), /^[^\n]+\n$/);
    });
  }

  const UNUSABLE = [
    [{ DATABASE_URL: '' }, /^DATABASE_URL is not set/],
    [{ HOLDPOINT_API_METRICS: 'on' }, /^HOLDPOINT_API_METRICS is "on"/],
  ] as const;
  for (const [env, message] of UNUSABLE) {
    it(`starts with settings that say in one line that ${message.source.slice(1)}`, async () => {
      await assert.rejects(apiSettings({ ...AWAY, ...env }, process.cwd()), (error) => {
        assert.ok(error instanceof StartupError, String(error));
        assert.match(error.message, message);
        return !error.message.includes('\n');
      });
    });
  }
});
