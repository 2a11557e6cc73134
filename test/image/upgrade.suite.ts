import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { hashedKey } from '../../runtime/api-keys.js';
import { newSecrets } from '../../service/data-folder.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { frozenCode } from '../replay/frozen.js';
import { lookUntil } from '../support/looks.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { SEEDS } from '../support/secrets.js';
import { withFolder } from '../support/temp-folder.js';
import { startOnFreePort } from '../support/temporal.js';
import { testBundle } from '../support/temporal-test-server.js';
import { CHART } from './chart.js';
import { Installation, type Lasting } from './installation.js';
import { rendered } from './manifests.js';

/** Otherwise Temporal looks every three minutes whether a version has drained. */
const SOON_DRAINED = {
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': '1s',
  'matching.wv.VersionDrainageStatusRefreshInterval': '1s',
};
const [N, NEXT] = ['n', 'next'];

describe('an upgrade in the order of the chart', function () {
  this.timeout(900_000);
  let folder = '';
  let postgres: PostgresServer;
  let temporal: DevServer;
  let installed: Installation;
  withFolder((made) => (folder = made), 'suite');
  before(async () => {
    postgres = await startPostgres();
    temporal = await startOnFreePort({ dynamicConfig: SOON_DRAINED });
    const keys = [
      { key: hashedKey(SEEDS.agentKey), principal: 'agent-1', roles: ['agent'] },
      { key: hashedKey(SEEDS.operatorKey), principal: 'alice', roles: ['operator'] },
    ];
    const keyFile = path.join(folder, 'keys.json');
    await writeFile(keyFile, JSON.stringify(keys));
    const { cases } = await rendered(CHART);
    installed = new Installation(folder, cases['evaluation'] ?? [], {
      ...newSecrets(),
      HOLDPOINT_STATE_KEYS: Buffer.alloc(32, 7).toString('base64'),
      HOLDPOINT_API_KEYS_FILE: keyFile,
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: temporal.address,
    });
    const frozen = path.join(folder, 'frozen.js');
    await writeFile(frozen, frozenCode('0.1.0'));
    await installed.addRelease(N, frozen);
    await installed.addRelease(NEXT, (await testBundle()).codePath);
  });
  after(async () => {
    await installed.close();
    await temporal.stop();
    await postgres.stop();
  });

  const at = ({ url }: Lasting, key: string) => ({ HOLDPOINT_URL: url, HOLDPOINT_API_KEY: key });
  const asking = (key: string) => ['ask', 'Ship it?', '--request-key', key];

  /** Asks as an agent; returns the id of the question. */
  const ask = (release: string, api: Lasting, key: string): Promise<string> =>
    installed.command(release, [...asking(key), '--no-wait'], at(api, SEEDS.agentKey));

  /** Answers as an operator; returns what the agent hears. */
  async function answered(release: string, api: Lasting, key: string, id: string) {
    await installed.command(release, ['answer', id, 'yes'], at(api, SEEDS.operatorKey));
    const said = await installed.command(
      release,
      [...asking(key), '--json'],
      at(api, SEEDS.agentKey),
    );
    return (JSON.parse(said) as { readonly value: unknown }).value;
  }

  /** Gives all tasks to the workers of a release, and starts its API as soon as the chart does. */
  async function moveTo(release: string): Promise<Lasting> {
    const wait = installed.waitForWorkers(release);
    assert.notEqual(await installed.statusOf(release), 'current');
    assert.equal(wait.isOver(), false);
    await installed.job(release, 'activate');
    assert.equal(await wait.end, 0);
    return installed.start(release, 'api');
  }

  it('leaves an open question open, and so does the way back', async () => {
    await installed.job(N, 'migrate');
    const worker = await installed.start(N, 'worker');
    assert.equal(await installed.statusOf(N), 'inactive');
    const api = await moveTo(N);
    const first = await ask(N, api, 'first');

    // The upgrade.
    await installed.job(NEXT, 'migrate');
    const nextWorker = await installed.start(NEXT, 'worker');
    assert.deepEqual(
      [await installed.statusOf(N), await installed.statusOf(NEXT)],
      ['current', 'inactive'],
    );
    const nextApi = await moveTo(NEXT);
    assert.equal(await api.stop(), 0);
    await lookUntil(
      async () => (await installed.statusOf(N)) === 'drained',
      'the old workers are never drained',
    );
    assert.equal(await worker.stop(), 0);
    assert.equal(await answered(NEXT, nextApi, 'first', first), 'yes');

    // The way back: the clean-up has removed the old workers.
    const second = await ask(NEXT, nextApi, 'second');
    const oldWorker = await installed.start(N, 'worker');
    const oldApi = await moveTo(N);
    assert.equal(await nextApi.stop(), 0);
    assert.equal(await nextWorker.stop(), 0);
    assert.equal(await answered(N, oldApi, 'second', second), 'yes');
    for (const one of [oldApi, oldWorker]) assert.equal(await one.stop(), 0);
  });
});
