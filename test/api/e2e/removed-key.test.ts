import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { pino } from 'pino';
import { queriesOf } from '../../../api/parts/reads/from-store.js';
import { startServer } from '../../../api/server.js';
import type { RunningServer } from '../../../api/server.js';
import { startSignIn } from '../../../api/sign-in/start.js';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { sessionConfigSchema } from '../../../contracts/people/session.js';
import { append, eventOf, feedOf } from '../../support/events.js';
import { withStore } from '../../support/store.js';
import type { TestStore } from '../../support/store.js';
import { openSse } from '../../support/subscribers.js';
import { KEYS, createRig } from '../support/harness.js';
import { INTENT } from '../support/records.js';

const ALICE: ApiKey = { key: KEYS.operator, principal: 'alice', roles: ['operator'] };
const BOB: ApiKey = { key: KEYS.both, principal: 'bob', roles: ['operator'] };
const TICK_MS = 1_000;
const MINUTE = 60_000 / TICK_MS;
const TURNS = 50;

describe('a key that is removed from the file of keys', () => {
  let store: TestStore;
  let folder: string;
  let server: RunningServer;

  before(async () => {
    store = await withStore();
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-keys-'));
    // What looks at the file, and at open streams, does so by intervals.
    mock.timers.enable({ apis: ['setInterval'] });
    const file = path.join(folder, 'keys.json');
    const keys = [ALICE, BOB];
    await writeFile(file, JSON.stringify(keys));
    const log = pino({ level: 'silent' });
    const session = sessionConfigSchema.parse({});
    const none = { issuer: undefined, browserSignIn: undefined, directory: undefined, secret: '' };
    const agentsRead = 'all' as const;
    const sources = { store: queriesOf(store.db), ...none, session, agentsRead, log };
    const { signIn } = startSignIn({ keys, file, isLoopback: true, ...sources });
    const { app } = createRig({}, {}, feedOf(store), undefined, signIn);
    server = await startServer({ app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    mock.timers.reset();
    await store.close();
    await rm(folder, { recursive: true });
  });

  /** Lets the time of the intervals pass, and after each step what it began, until `isDone`. */
  async function pass(steps: number, isDone: () => boolean): Promise<number> {
    let step = 0;
    for (; step < steps && !isDone(); step += 1) {
      mock.timers.tick(TICK_MS);
      for (let turn = 0; turn < TURNS && !isDone(); turn += 1) await look();
    }
    return step;
  }

  /** Asks the file system for something, as what looks at the file does. */
  const look = () => writeFile(path.join(folder, 'turn'), '');

  it('ends its live streams within a minute, and those of no other', async () => {
    const url = `${server.url}/v1/intents/${INTENT.id}/subscribe`;
    const [alice, bob] = await Promise.all([openSse(url, ALICE.key), openSse(url, BOB.key)]);
    await append(store.db, eventOf(INTENT.id, 1));
    await Promise.all([alice.until(1), bob.until(1)]);
    let isOver = false;
    void alice.ended.then(() => (isOver = true));

    assert.equal(await pass(MINUTE, () => isOver), MINUTE, 'it ends while its key still counts');
    await writeFile(path.join(folder, 'keys.json'), JSON.stringify([BOB]));
    const steps = await pass(MINUTE, () => isOver);
    assert.ok(isOver, 'it never ends');
    assert.ok(steps <= MINUTE);

    assert.equal((await fetch(url, { headers: { 'X-API-Key': ALICE.key } })).status, 401);
    await append(store.db, eventOf(INTENT.id, 2, { event_type: randomUUID() }));
    await bob.until(2);
    assert.equal(alice.frames.length, 1);
    bob.reply.destroy();
  });
});
