import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { describe, it } from 'mocha';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { loadDataConverter } from '../../runtime/data-converter.js';
import { StartupError } from '../../runtime/program.js';
import { resolveTemporalCli } from '../../temporal-config/cli.js';
import { FaultStack } from '../faults/fault-stack.js';
import { SEEDS } from '../support/secrets.js';
import { withFolder } from '../support/temp-folder.js';

const CODEC = path.resolve(import.meta.dirname, '../support/rot-codec.mjs');

describe('the data converter', () => {
  let folder = '';
  withFolder((made) => (folder = made), 'suite');

  it('is none where none is named', async () => {
    for (const env of [{}, { HOLDPOINT_DATA_CONVERTER: '' }]) {
      assert.equal(await loadDataConverter(env, folder), undefined);
    }
  });

  it('is found from the working folder', async () => {
    const env = { HOLDPOINT_DATA_CONVERTER: path.basename(CODEC) };
    const converter = await loadDataConverter(env, path.dirname(CODEC));
    assert.equal(converter?.payloadCodecs?.length, 1);
  });

  for (const [what, text] of [
    ['nothing', 'export const other = 1;'],
    ['no list', 'export const payloadCodecs = {};'],
    ['an empty list', 'export const payloadCodecs = [];'],
    ['half a codec', 'export const payloadCodecs = [{ encode() {} }];'],
    ['an error', 'throw new Error("no key");'],
  ] as const) {
    it(`ends the start in one line where the module gives ${what}`, async () => {
      const file = path.join(folder, `${what.replaceAll(' ', '-')}.mjs`);
      await writeFile(file, text);
      const loaded = loadDataConverter({ HOLDPOINT_DATA_CONVERTER: file }, folder);
      await assert.rejects(loaded, (error: Error) => {
        assert.ok(error instanceof StartupError);
        return /^HOLDPOINT_DATA_CONVERTER .*$/.test(error.message);
      });
    });
  }

  it('ends the start where there is no module', async () => {
    const loaded = loadDataConverter({ HOLDPOINT_DATA_CONVERTER: 'none.mjs' }, folder);
    await assert.rejects(loaded, /none\.mjs cannot be loaded \(ERR_MODULE_NOT_FOUND\)/);
  });

  it('keeps questions and answers out of the histories [TM-25]', async () => {
    const codec = 'codec: { origin: https://temporal.example.com }';
    const world = await FaultStack.start(codec, { HOLDPOINT_DATA_CONVERTER: CODEC });
    try {
      const { intentId, view } = await world.ask({ question: 'Is the plain text hidden?' });
      const answer = { suspension_id: view.id, value: 'approve' };
      const { accepted } = await world.operator.respond(intentId, answer);
      assert.equal(accepted, true);
      assert.deepEqual(await world.types(intentId, 3), [
        'intent_created',
        'intent.suspended',
        'intent.resumed',
      ]);
      const connection = await Connection.connect({ address: world.stack.temporalAddress });
      const { workflow } = new Client({ connection });
      for (const id of [workflowIdOf('intent', intentId), workflowIdOf('suspension', view.id)]) {
        const { events } = await workflow.getHandle(id).fetchHistory();
        const text = (events ?? []).map((event) => plainText(event)).join('\n');
        assert.match(text, /binary\/turned/);
        assert.doesNotMatch(text, /plain text hidden|approve/);
        assert.match(await shownBy(world, id), /plain text hidden/);
      }
      await connection.close();
    } finally {
      await world.close();
    }
  });
});

/** The history as Temporal's command line shows it to an admin, who may use the codec. */
async function shownBy({ stack }: FaultStack, workflowId: string): Promise<string> {
  const { path: cli } = await resolveTemporalCli({ log: () => undefined });
  const args = `workflow show --address ${stack.temporalAddress} --workflow-id ${workflowId} --output json`;
  const codec = `--codec-endpoint ${stack.apiUrl}/v1/codec --codec-header X-API-Key=${SEEDS.adminKey}`;
  const { stdout } = await promisify(execFile)(cli, [...args.split(' '), ...codec.split(' ')]);
  return plainText(JSON.parse(stdout));
}

/** An event with its payloads as text. */
function plainText(event: unknown): string {
  return JSON.stringify(event, (key, value: unknown) => {
    const isBytes = key === 'data' || key === 'encoding';
    return isBytes && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value;
  });
}
