import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { Operator } from '../../client/index.js';
import { isolatedEnv } from '../../service/settings.js';
import { startStack, type Stack } from '../../service/stack.js';
import { frozenCode } from '../replay/frozen.js';
import { runLog, SEEDS } from '../support/secrets.js';
import { storeFolder } from '../support/store.js';
import { testBundle } from '../support/temporal-test-server.js';

const KEYS = [
  { key: SEEDS.agentKey, principal: 'agent-1', roles: ['agent'] },
  { key: SEEDS.operatorKey, principal: 'alice', roles: ['operator'] },
];

describe('npm start with a new build on the data of an old one', function () {
  this.timeout(600_000);
  let folder: string;
  let old: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-restart-'));
    old = path.join(folder, 'frozen.js');
    await writeFile(old, frozenCode('0.1.0'));
    await storeFolder('migrated', path.join(folder, 'data/store'));
    await writeFile(path.join(folder, 'config.yaml'), '');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function start(bundle: string): Promise<Stack> {
    return startStack({
      dataDir: path.join(folder, 'data'),
      configPath: path.join(folder, 'config.yaml'),
      env: {
        ...isolatedEnv(process.env),
        HOLDPOINT_API_KEYS: JSON.stringify(KEYS),
        HOLDPOINT_WORKFLOW_BUNDLE: bundle,
      },
      log: (line) => runLog('service').write(`${line}\n`),
      relay: (name, line) => runLog(`service.${name}`).write(`${line}\n`),
    });
  }

  async function call(stack: Stack, route: string, body: object): Promise<{ id: string }> {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': SEEDS.agentKey };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const reply = await fetch(`${stack.apiUrl}${route}`, init);
    assert.ok(reply.ok, `${route}: ${reply.status}`);
    return (await reply.json()) as { id: string };
  }

  it('makes the new one current, which goes on with what the old one began', async () => {
    const first = await start(old);
    const intent = await call(first, '/v1/intents', { title: 'Refund', status: 'active' });
    const question = { question: 'Refund?', response_type: 'confirm' };
    const { id } = await call(first, `/v1/intents/${intent.id}/suspend`, question);
    await first.stop();

    const second = await start((await testBundle()).codePath);
    const operator = new Operator({ baseUrl: second.apiUrl, apiKey: SEEDS.operatorKey });
    const receipt = await operator.respond(intent.id, { suspension_id: id, value: 'yes' });
    assert.equal(receipt.accepted, true);
    assert.equal((await operator.waitForSuspension(id)).record.response, 'yes');
    assert.equal(second.restartCount('worker'), 0);
    await second.stop();
  });
});
