import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { reconcile } from '../../activities/reconcile.js';
import type { Finding } from '../../activities/types.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { reconciliation, storedQuestions } from '../../workers/reconciliation.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { lookUntil } from '../support/looks.js';
import { REFUND, RealStack, ask, createIntent } from '../support/real-stack.js';
import { onServer } from '../support/stack-temporal.js';
import { settledInStore } from '../support/stored-questions.js';
import { connectedTo, startOnFreePort } from '../support/temporal.js';

/** Longer than whoever should write an outcome has for it. */
const LATER_MS = 120_000;

/** A Temporal that is restored from a backup of its database has forgotten what came after, and knows nothing of that. */
describe('a Temporal whose database was put back to a copy', () => {
  let folder: string;
  let server: DevServer;
  let stack: RealStack;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-put-back-'));
    await mkdir(live());
    server = await startOnFreePort({ dbFile: database() });
    const { address } = server;
    const temporal = await connectedTo({ address, stop: () => server.stop() });
    stack = await RealStack.start({}, onServer(Promise.resolve(temporal)));
  });
  after(async () => {
    await stack.close();
    await rm(folder, { recursive: true, force: true });
  });

  const live = () => path.join(folder, 'live');
  const copy = () => path.join(folder, 'copy');
  const database = () => path.join(live(), 'temporal.db');

  /** Changes the files of the server while it is stopped. */
  async function whileStopped(change: () => Promise<void>): Promise<void> {
    await server.stop();
    await change();
    const port = Number(server.address.split(':').at(-1));
    server = await startOnFreePort({ dbFile: database(), port });
    const isUp = async (): Promise<boolean> => {
      const reply = stack.client.workflowService.getSystemInfo({});
      return reply.then(
        () => true,
        () => false,
      );
    };
    await lookUntil(isUp, 'the client does not reach the server again');
  }

  /** One look at everything, as of two minutes from now. */
  async function look(): Promise<ReadonlyMap<string, Finding>> {
    const { db } = stack.store;
    const findings = new Map<string, Finding>();
    await reconcile(
      {
        reconciliation: reconciliation(db, () => stack.client),
        store: storedQuestions(db),
        now: () => new Date(Date.now() + LATER_MS),
      },
      { since: null },
      {
        goOn: () => undefined,
        found: ({ id }, finding) => findings.set(id, finding),
        warn: () => undefined,
      },
    );
    return findings;
  }

  const workflowOf = (id: string) =>
    stack.client.workflow.getHandle<typeof suspension>(workflowIdOf('suspension', id));

  async function answered(route: string, body: object): Promise<void> {
    const reply = await stack.post(`${route}/respond`, 'operator', body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  }

  it('gets the answers again that people have given since, and touches nothing that it does not know', async () => {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const own = String(body.id);
    const intent = await createIntent(stack);
    const { id: ofIntent } = await ask(stack, intent);
    for (const id of [own, ofIntent]) await stack.delivered(id);
    await whileStopped(() => cp(live(), copy(), { recursive: true }));

    await answered(`/v1/suspensions/${own}`, { value: 'approve' });
    await answered(intent.concat('/suspend'), { suspension_id: ofIntent, value: 'approve' });
    for (const id of [own, ofIntent]) await settledInStore(stack.store, id);
    const since = await createIntent(stack);
    const isStored = async () => {
      const { body: list } = await stack.get('/v1/intents');
      return (list.intents as { id: string }[]).some(({ id }) => since.endsWith(id));
    };
    await lookUntil(isStored, 'the newest intent is not stored');

    await whileStopped(async () => {
      await rm(live(), { recursive: true });
      await cp(copy(), live(), { recursive: true });
    });
    const found = new Map<string, Finding>();
    await lookUntil(
      async () => {
        for (const [id, finding] of await look()) found.set(id, finding);
        return [own, ofIntent].every((id) => found.get(id) === 'handed_in');
      },
      () => `not every answer is handed in: ${JSON.stringify([...found])}`,
    );
    for (const id of [own, ofIntent]) {
      assert.equal((await workflowOf(id).result()).response, 'approve');
    }
    await lookUntil(
      async () => (await stack.get(intent)).body.status === 'active',
      'the intent waits on',
    );
    assert.equal(found.get(since.split('/').at(-1) ?? ''), 'missing');
    assert.equal((await stack.get(since)).body.status, 'active');
  });
});
