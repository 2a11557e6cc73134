import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { InboxCounts } from '../../contracts/suspension/view.js';
import { startStack, type Stack } from '../../service/stack.js';
import { isolatedEnv } from '../../service/settings.js';
import { installSchemathesis, runSchemathesis, type Phase } from './schemathesis.js';

const MINUTE_MS = 60_000;
const KEYS = [
  { key: 'admin-key-for-schemathesis', principal: 'root', roles: ['admin'] },
  { key: 'agent-key-for-schemathesis', principal: 'agent', roles: ['agent'] },
] as const;

type Tried = Phase & { readonly title: string; readonly least: number };

const COVERAGE: Tried = {
  name: 'coverage',
  cases: 20,
  least: 500,
  title: 'keeps to the bounds of every field',
};

/** The phase that takes more than half of the time, and hardly ever finds anything new: `.ci/nightly` runs it, `.ci/run` does not. */
const BOUNDS = process.env['HOLDPOINT_TEST_BOUNDS'] === 'true';

const PHASES: readonly Tried[] = [
  { name: 'examples', cases: 1, least: 100, title: 'takes its own examples' },
  ...(BOUNDS ? [COVERAGE] : []),
  { name: 'fuzzing', cases: 5, least: 200, title: 'withstands generated requests' },
  { name: 'stateful', cases: 50, least: 100, title: 'withstands sequences along its links' },
];

describe('the API, as schemathesis reads its document', function () {
  this.timeout(15 * MINUTE_MS);
  let folder: string;
  let stack: Stack;
  let command: string;
  const answered = { all: 0, busy: 0 };

  before(async () => {
    command = await installSchemathesis();
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-openapi-'));
    const env = { ...isolatedEnv(process.env), HOLDPOINT_API_KEYS: JSON.stringify(KEYS) };
    stack = await startStack({
      dataDir: path.join(folder, 'data'),
      env,
      log: () => undefined,
      relay(name, line) {
        if (name !== 'api' || !line.includes('"msg":"request"')) return;
        answered.all += 1;
        if (line.includes('"status":503')) answered.busy += 1;
      },
    });
  });
  after(async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { title, least, ...phase } of PHASES) {
    it(`${title} [${phase.name}]`, async () => {
      const api = { url: stack.apiUrl, key: KEYS[0].key };
      const { code, report, cases } = await runSchemathesis(command, api, phase);
      process.stdout.write(`${report.slice(-1_000)}\n`);
      assert.equal(code, 0, report);
      assert.ok(cases >= least, `only ${cases} cases`);
    });
  }

  it('has reached questions that were there, and settled some', async () => {
    const headers = { 'X-API-Key': KEYS[0].key };
    const reply = await fetch(`${stack.apiUrl}/v1/suspensions/counts`, { headers });
    const counts = (await reply.json()) as InboxCounts;
    for (const how of ['pending', 'responded', 'cancelled'] as const) {
      assert.ok(counts[how] > 0, JSON.stringify(counts));
    }
  });

  it('has been too busy for one request in a hundred at most', () => {
    assert.ok(answered.all > 1_000, `only ${answered.all} requests were seen`);
    assert.ok(answered.busy <= answered.all / 100, JSON.stringify(answered));
  });

  it('has started no process again meanwhile', () => {
    const names = ['api', 'worker', 'store', 'temporal'] as const;
    assert.deepEqual(
      names.map((name) => stack.restartCount(name)),
      [0, 0, 0, 0],
    );
  });
});
