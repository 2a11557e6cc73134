import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import { EXIT } from '../../../cli/failures.js';
import { snippetsOf } from '../../support/snippets.js';
import { lookUntil } from '../../support/looks.js';
import { CLIENTS, withClient } from '../../support/mcp-clients.js';
import { KEYS, RealStack, type KeyName } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { scriptOf } from '../../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const HOLDPOINT = scriptOf('service/cli.ts');
/** What the page shows: how a client is configured, or a call. */
interface Shown {
  readonly mcpServers?: {
    readonly holdpoint?: {
      readonly url?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly command?: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    };
  };
  readonly name?: string;
  readonly arguments?: Record<string, unknown>;
}
const KINDS = Object.keys(CLIENTS) as readonly (keyof typeof CLIENTS)[];

describe('the holdpoint command and a whole service', () => {
  let stack: RealStack;
  let home = '';
  before(async () => {
    [stack, home] = await Promise.all([
      RealStack.start({}, onServer()),
      mkdtemp(path.join(tmpdir(), 'holdpoint-home-')),
    ]);
  });
  after(async () => {
    await stack.close();
    await rm(home, { recursive: true, force: true });
  });

  function envOf(key: KeyName): Record<string, string> {
    const PATH = process.env['PATH'] ?? '';
    const keyOf = { HOLDPOINT_URL: stack.url, HOLDPOINT_API_KEY: KEYS[key].key };
    return { PATH, HOME: home, ...keyOf };
  }

  /** Starts the program, as a script does: nothing of it is a terminal. */
  function started(key: KeyName, args: readonly string[]) {
    const child = spawn(process.execPath, [HOLDPOINT, ...args], {
      cwd: ROOT,
      env: envOf(key),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]).then(([[code], out, err]) => ({ code, out, err }));
    return { child, ended };
  }

  function run(key: KeyName, ...args: readonly string[]) {
    return started(key, args).ended;
  }

  /** The id of the open question with these words, once it is there. */
  async function asked(words: string): Promise<string> {
    return lookUntil(async () => {
      const query = new URLSearchParams({ text: words });
      const page = await stack.get(`/v1/suspensions?${query.toString()}`, 'operator');
      const [first] = page.body.suspensions as { id: string }[];
      return first?.id;
    }, `nobody asks ${words}`);
  }

  for (const [verb, code, out] of [
    ['approve', EXIT.done, 'yes\n'],
    ['deny', EXIT.no, 'no\n'],
  ] as const) {
    it(`holds a script up until a person says it: ${verb}`, async () => {
      const words = `Deploy ${randomUUID()}`;
      const waits = run('agent', 'ask', `${words}?`, '--confirm', '--timeout', '10m');
      const id = await asked(words);
      const answer = await run('operator', verb, id.slice(0, 8), '--json');
      assert.equal(answer.code, EXIT.done, answer.err);
      assert.equal(JSON.parse(answer.out).result.responded_by, 'alice');
      const ended = await waits;
      assert.deepEqual([ended.code, ended.out], [code, out], ended.err);
      const again = await run('operator', verb, id, '--json');
      assert.equal(again.code, EXIT.refused);
      assert.match(again.err, /^[^\n]+\(suspension_settled\)\n$/);
    });
  }

  it('asks once under a request key, and re-attaches after it was stopped', async () => {
    const words = `Ship ${randomUUID()}`;
    const args = ['ask', `${words}?`, '--keep-open', '--request-key', words];
    const first = started('agent', args);
    const id = await asked(words);
    first.child.kill('SIGINT');
    const stopped = await first.ended;
    assert.equal(stopped.code, EXIT.interrupted, stopped.err);
    const second = run('agent', ...args);
    await run('operator', 'answer', id, 'yes');
    const ended = await second;
    assert.deepEqual([ended.code, ended.out], [EXIT.done, 'yes\n'], ended.err);
    const found = await stack.get(
      `/v1/suspensions/counts?text=${encodeURIComponent(words)}`,
      'operator',
    );
    assert.equal(found.body.responded, 1);
  });

  it('withdraws the question on Ctrl-C', async () => {
    const words = `Wipe ${randomUUID()}`;
    const waits = started('agent', ['ask', `${words}?`]);
    const id = await asked(words);
    waits.child.kill('SIGINT');
    assert.equal((await waits.ended).code, EXIT.interrupted);
    const { body } = await stack.get(`/v1/suspensions/${id}`);
    assert.equal(body.record.resolution, 'cancelled');
  });

  for (const kind of KINDS) {
    it(`gives the answer to a later process over stdio: ${kind}`, async () => {
      const place = {
        command: process.execPath,
        args: [HOLDPOINT, 'mcp'],
        env: envOf('agent'),
        cwd: ROOT,
      };
      const question = `Merge ${randomUUID()}?`;
      const asking = { question, request_key: question, timeout_seconds: 600 };
      let ticket = '';
      await withClient(kind, place, async (client) => {
        const { output } = await client.call('ask_human', asking);
        ticket = String(output['ticket']);
        assert.equal(output['page'], `${stack.url}/inbox/q/${ticket}`);
        assert.match(String(output['expires_at']), /^\d{4}-/);
        const again = await client.call('ask_human', asking);
        assert.equal(again.output['ticket'], ticket);
        const pending = await client.call('get_human_answer', { ticket, wait_seconds: 0 });
        assert.equal(pending.output['status'], 'pending');
      });
      const answered = await run('operator', 'answer', ticket, 'yes', '--comment', 'go');
      assert.equal(answered.code, EXIT.done, answered.err);
      await withClient(kind, place, async (client) => {
        const { output } = await client.call('get_human_answer', { ticket });
        assert.deepEqual(
          [output['status'], output['answer'], output['from'], output['comment']],
          ['answered', 'yes', 'person', 'go'],
        );
      });
    });
  }

  it('lets models in as docs/mcp.md configures it', async () => {
    const [http, program, call] = snippetsOf('docs/mcp.md', 'json').map(
      (text) => JSON.parse(text) as Shown,
    );
    const { url = '', headers = {} } = http?.mcpServers?.holdpoint ?? {};
    const { command, args = [], env = {} } = program?.mcpServers?.holdpoint ?? {};
    assert.match(headers['X-API-Key'] ?? '', /HOLDPOINT_API_KEY/);
    assert.equal(command, 'holdpoint');
    assert.deepEqual(Object.keys(env), ['HOLDPOINT_URL', 'HOLDPOINT_API_KEY']);
    const places = [
      { url: stack.url + new URL(url).pathname, key: KEYS.agent.key },
      {
        command: process.execPath,
        args: [HOLDPOINT, ...args],
        env: envOf('agent'),
        cwd: ROOT,
      },
    ];
    const tickets = new Set<unknown>();
    for (const place of places) {
      await withClient('the client of today', place, async (client) => {
        const asked = await client.call(call?.name ?? '', call?.arguments ?? {});
        assert.equal(asked.isError, false, asked.text);
        tickets.add(asked.output['ticket']);
      });
    }
    assert.equal(tickets.size, 1);
  });

  it('is a script of npm in a checkout, which says no more and ends alike', async () => {
    const { PATH = '', HOME = '' } = envOf('agent');
    const npm = spawn('npm', ['run', '-s', 'holdpoint', '--', 'show', '1234'], {
      cwd: ROOT,
      env: { PATH, HOME },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [[code], out, err] = await Promise.all([
      once(npm, 'close') as Promise<[number | null]>,
      text(npm.stdout),
      text(npm.stderr),
    ]);
    assert.deepEqual([code, out], [EXIT.notAllowed, ''], err);
    assert.match(err, /^No key, and [^\n]*\n$/);
  });
});
