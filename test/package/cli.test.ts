import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AS_WHAT, RUNNER, signalled, untilSaid } from '../support/processes.js';
import { projectWith, type Project } from './packed.js';

/** Nothing listens at port 1: neither Temporal nor the store is there. */
const AWAY = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
};

describe('the holdpoint command', function () {
  this.timeout(600_000);
  let project: Project;
  let command = '';
  before(async () => {
    project = await projectWith('holdpoint');
    const manifest = await readFile(path.join(project.installed, 'package.json'), 'utf8');
    const { bin } = JSON.parse(manifest) as { bin: { holdpoint: string } };
    command = path.join(project.installed, bin.holdpoint);
  });
  after(() => project.remove());

  function launch(
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
    runner: readonly string[] = [],
  ): ChildProcessByStdio<null, Readable, Readable> {
    const { PATH, HOME } = process.env;
    const [program, ...more] = [...runner, process.execPath, command, ...args];
    return spawn(program ?? process.execPath, more, {
      cwd: project.folder,
      env: { PATH, HOME, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function outcome(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const child = launch(args, settings);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  it('is a program that the shell can start', async () => {
    assert.match(await readFile(command, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    assert.ok((await stat(path.join(project.installed, 'dist/workflow-bundle.js'))).size > 100_000);
  });

  it('says what it can do, to whoever asks', async () => {
    for (const args of [['--help'], ['help'], ['api', '-h']]) {
      const { code, out, err } = await outcome(args);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      for (const name of [
        'start',
        'worker',
        'api',
        'migrate',
        'verify-log',
        'inbox',
        'ask',
        'mcp',
      ]) {
        assert.match(out, new RegExp(`^  ${name} +\\w`, 'm'));
      }
    }
  });

  const REFUSED = [
    [2, [], /^Usage: holdpoint <command>/],
    [2, ['inbxo'], /^holdpoint has no command "inbxo"\. Did you mean "inbox"\?\n$/],
    [2, ['toString'], /^holdpoint has no command "toString"/],
    [2, ['api', '4000'], /^holdpoint api takes no argument, so "4000" means nothing\.\n$/],
    [2, ['verify-log'], /^Usage: .*holdpoint verify-log/],
    [1, ['verify-log', 'none.ndjson'], /^none\.ndjson cannot be read: .*\n$/],
    [1, ['migrate'], /^DATABASE_URL is not set[^\n]*\n$/],
    [1, ['worker'], /^DATABASE_URL is not set[^\n]*\n$/],
  ] as const;
  for (const [ends, args, message] of REFUSED) {
    it(`fails with the reason: holdpoint ${args.join(' ')}`, async () => {
      const { code, out, err } = await outcome(args);
      assert.deepEqual({ code, out }, { code: ends, out: '' });
      assert.match(err, message);
    });
  }

  it('names the package that an installation without optional ones lacks', async () => {
    const away = path.join(project.folder, 'node_modules/@temporalio/worker');
    await rename(away, `${away}-away`);
    try {
      const { code, out, err } = await outcome(['start']);
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.match(
        err,
        /^holdpoint start needs the package @temporalio\/worker, which is not [^\n]*\n$/,
      );
      assert.equal((await outcome(['ask', '--help'])).code, 0);
    } finally {
      await rename(`${away}-away`, away);
    }
  });

  it('has the commands of people, and the door for models', async () => {
    const { code, out } = await outcome(['ask', '--help']);
    assert.deepEqual([code, out.split('\n')[0]], [0, 'Usage: holdpoint ask [options] <question>']);
    const nobody = await outcome(['inbox'], { XDG_CONFIG_HOME: project.folder });
    assert.deepEqual([nobody.code, nobody.out], [4, '']);
    const settings = {
      HOLDPOINT_URL: 'http://127.0.0.1:4',
      HOLDPOINT_API_KEY: 'a key of an agent',
    };
    const away = await outcome(['doctor'], settings);
    assert.deepEqual([away.code, away.err], [1, 'What is marked BAD is wrong.\n']);
    assert.deepEqual(await outcome(['mcp'], settings), { code: 0, out: '', err: '' });
  });

  it('says in one line that the database of a migration is away', async () => {
    const { code, out, err } = await outcome(['migrate'], AWAY);
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, /^The database of DATABASE_URL cannot be used: [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  it(`serves its pages, drains and ends on SIGTERM${AS_WHAT}`, async () => {
    const keys = [{ key: 'agent-key-of-16-characters', principal: 'a', roles: ['agent'] }];
    const settings = {
      ...AWAY,
      PORT: '0',
      HOLDPOINT_API_KEYS: JSON.stringify(keys),
      HOLDPOINT_STOP_NOTICE_SECONDS: '0',
    };
    const child = launch(['api'], settings, RUNNER);
    const exited = once(child, 'exit');
    const url = await untilSaid(child.stdout, /^Holdpoint API ready on (\S+)$/);
    for (const page of ['/docs', '/v1/openapi.json', '/health']) {
      const reply = await fetch(url + page);
      assert.equal(reply.status, 200, page);
      await reply.text();
    }
    await servesInbox(url);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const headers = [
      'POST /v1/intents HTTP/1.1',
      'Host: holdpoint',
      `X-API-Key: ${keys[0]?.key ?? ''}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      'Expect: 100-continue',
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.match(first.toString(), /^HTTP\/1\.1 100 /);
    const rest = text(socket);

    process.kill(await signalled(child), 'SIGTERM');
    await untilRefused(Number(port), hostname);
    socket.write('{x');

    assert.match(await rest, /^HTTP\/1\.1 400 [^]*malformed_json/);
    assert.deepEqual(await exited, [0, null]);
  });

  it(`ends on SIGTERM${AS_WHAT} while a worker waits for Temporal`, async () => {
    const child = launch(['worker'], AWAY, RUNNER);
    const exited = once(child, 'exit');
    await untilSaid(child.stderr, /^Temporal at 127\.0\.0\.1:1 is away/);
    process.kill(await signalled(child), 'SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});

/** Loads the inbox as a browser does, with each file that it names. */
async function servesInbox(url: string): Promise<void> {
  const page = await fetch(`${url}/inbox/questions`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="(\/inbox\/[^"]+)"/g)].map(([, file = '']) => file);
  assert.ok(
    files.some((file) => file.endsWith('.js')),
    html,
  );
  for (const file of files) {
    const reply = await fetch(url + file, { headers: { 'accept-encoding': 'br' } });
    assert.equal(reply.status, 200, file);
    const isLarge = Number(reply.headers.get('content-length')) > 1_024;
    if (isLarge && file.endsWith('.js')) assert.equal(reply.headers.get('content-encoding'), 'br');
    await reply.arrayBuffer();
  }
}

/** Resolves once nothing listens at a port any more. */
async function untilRefused(port: number, host: string): Promise<void> {
  for (;;) {
    const probe = connect(port, host);
    try {
      await once(probe, 'connect');
      probe.destroy();
    } catch {
      return;
    }
  }
}
