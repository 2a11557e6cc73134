import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'mocha';
import { ExactLines, type Held } from '../../cli/exact-lines.js';
import { serveTools } from '../../cli/mcp-stdio.js';
import type { Api } from '../../cli/session.js';
import { Terminal, type Shell } from '../../cli/shell.js';
import { partWith } from '../domain/approval/wires.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const PART = partWith();
const LOSSY = '{"to":{"account":9007199254740993}}';
const FORM = questionWith({
  response_type: 'form',
  response_schema: { type: 'object', properties: { n: { type: 'number' } } },
});
const APPROVAL = questionWith({ response_type: 'choice', approval: PART });
const ANSWER = ['answer', SUSPENSION_ID];
const ASK = ['ask', 'Pay?', '--text'];

describe('what the command line reads', () => {
  for (const [args, where, input] of [
    [[...ANSWER, LOSSY], 'The value: to.account'],
    [[...ANSWER, '9007199254740993'], 'The value: The number'],
    [[...ANSWER, '--value-file', '-'], 'The value: to.account', LOSSY],
    [[...ANSWER, '--field', 'n=1', '--data', LOSSY], '--data: to.account'],
    [[...ANSWER, '--field', 'n=1', '--data', '@-'], '--data: to.account', LOSSY],
    [['amend', SUSPENSION_ID, '--context', LOSSY], '--context: to.account'],
    [['amend', SUSPENSION_ID, '--response-schema', '{"maximum":1e400}'], 'schema: maximum'],
    [[...ASK, '--context', LOSSY], '--context: to.account'],
    [[...ASK, '--context', '{"a":1,"a":2}'], '--context: a stands twice'],
    [['ask', 'Pay?', '--form', '{"minimum":1e-400}'], '--form: minimum'],
  ] as const satisfies readonly (readonly [readonly string[], string, string?])[]) {
    it(`is refused where it would be changed: ${args.slice(0, 1).join()} ${where}`, () =>
      withShell(showing(FORM), async (shell) => {
        const { code, err } = await shell.run(args, input === undefined ? {} : { input });
        assert.equal(code, 2, err);
        assert.ok(err.includes(where), err);
        const writes = shell.rig.calls.filter(({ method }) => !/^(get|list)/.test(method));
        assert.deepEqual(writes, []);
      }));
  }

  it('is refused in the arguments of an edit', () =>
    withShell(showing(APPROVAL), async (shell) => {
      const { proposal_hash } = PART;
      const say = ['approve', SUSPENSION_ID, '--yes', '--hash', proposal_hash];
      const { code, err } = await shell.run([...say, '--edit', `call-1=${LOSSY}`]);
      assert.deepEqual([code, err.includes('--edit: to.account')], [2, true], err);
      assert.ok(!shell.rig.calls.some(({ method }) => method === 'respond'));
    }));

  it('is taken from a file and from the input as it is', () =>
    withShell(showing(FORM), async (shell) => {
      const file = path.join(shell.home, 'value.json');
      await writeFile(file, '{"n":0.30000000000000004}');
      for (const [from, input] of [
        [file, ''],
        ['-', '{"n":0.30000000000000004}'],
      ] as const) {
        await shell.run([...ANSWER, '--value-file', from], { input });
        const sent = shell.rig.calls.findLast(({ method }) => method === 'respond');
        const { value } = sent?.args[2] as { value: unknown };
        assert.deepEqual(value, { n: 0.30000000000000004 });
      }
    }));

  it('is refused where its bytes are no text', () =>
    withShell(showing(questionWith({ response_type: 'text' })), async (shell) => {
      const file = path.join(shell.home, 'value.txt');
      await writeFile(file, Buffer.from([0x66, 0xfc, 0x72]));
      const { code, err } = await shell.run([...ANSWER, '--value-file', file]);
      assert.equal(code, 2);
      assert.match(err, /no text in UTF-8/);
    }));
});

const CALL = (id: string, account: string) =>
  `{"jsonrpc":"2.0",${id}"method":"tools/call","params":{"name":"ask_human","arguments":{"context":{"account":${account}}}}}`;

async function through(...chunks: readonly (string | Uint8Array)[]) {
  const held: Held[] = [];
  const lines = new ExactLines((message) => held.push(message));
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  return { passed: await text(lines), held };
}

describe('messages in lines', () => {
  it('pass as they are, however they are cut', async () => {
    const all = `${CALL('"id":1,', '1.50')}\r\n\nno JSON\n{"a":"é"}`;
    const bytes = Array.from(Buffer.from(all), (byte) => Uint8Array.of(byte));
    for (const chunks of [[all], bytes]) {
      assert.deepEqual(await through(...chunks), { passed: all, held: [] });
    }
  });

  it('are held back where a number would be changed, and only these', async () => {
    const lossy = CALL('"id":"a",', '9007199254740993');
    const { passed, held } = await through(`${lossy}\n${CALL('"id":2,', '2')}\n${lossy}`);
    assert.equal(passed, `${CALL('"id":2,', '2')}\n`);
    assert.deepEqual(
      held.map(({ id, fault }) => [id, fault.field]),
      [
        ['a', 'params.arguments.context.account'],
        ['a', 'params.arguments.context.account'],
      ],
    );
  });

  it('are not collected without end', async () => {
    const lines = new ExactLines(() => undefined);
    const failed = new Promise<Error>((resolve) => lines.once('error', resolve));
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 10; i += 1) lines.write(chunk);
    assert.match((await failed).message, /no end/);
  });
});

describe('holdpoint mcp', () => {
  it('refuses a call whose number would be changed, to whoever sent it', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const shell = {
      env: {},
      stdin,
      stdout,
      stderr: new PassThrough(),
      now: Date.now,
      interrupted: new AbortController().signal,
    };
    // Nothing is asked of the service.
    const api = { url: 'http://127.0.0.1:1', agent: {}, operator: {}, connection: {} };
    const served = serveTools(() => api as unknown as Api, new Terminal(shell as unknown as Shell));
    stdin.write(`${CALL('', '1e400')}\n${CALL('"id":7,', '9007199254740993')}\n`);
    const [line] = String(await once(stdout)).split('\n');
    const reply = JSON.parse(line ?? '') as {
      id: number;
      error: { code: number; message: string };
    };
    assert.deepEqual([reply.id, reply.error.code], [7, -32602]);
    assert.match(reply.error.message, /params\.arguments\.context\.account .*send it as text/);
    stdin.end();
    await served;
  });
});

function once(stream: PassThrough): Promise<unknown> {
  return new Promise((resolve) => stream.once('data', resolve));
}
