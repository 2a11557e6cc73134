import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { FaultStack } from '../faults/fault-stack.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { scriptOf } from '../support/scripts.js';

const LADDER = { retry_policy: { max_attempts: 3, interval_seconds: 6 } };

describe('the service on PostgreSQL', () => {
  let server: PostgresServer;
  let world: FaultStack;
  before(async () => {
    server = await startPostgres();
    world = await FaultStack.start('', { DATABASE_URL: server.url });
  });
  after(async () => {
    await world.close();
    await server.stop();
  });

  it('starts no embedded store', () => {
    assert.deepEqual(Object.keys(world.stack.pids()).sort(), ['api', 'temporal', 'worker']);
    assert.equal(world.stack.databaseUrl, server.url);
  });

  it('reminds, is answered and loses no row while the server has crashed', async () => {
    const { intentId, view } = await world.ask(LADDER);
    await server.kill();
    const reminded = await world.attemptAfter(view.id, 1);
    assert.equal(reminded.attempt, 2);
    const answer = { suspension_id: view.id, value: 'approve' };
    const receipt = await world.operator.respond(intentId, answer);
    assert.equal(receipt.accepted, true);
    await server.restart();
    await world.stack.untilReady();
    assert.deepEqual(await world.types(intentId, 4), [
      'intent_created',
      'intent.suspended',
      'intent.suspension_renotified',
      'intent.resumed',
    ]);
  });

  it('goes on when the server crashes while answers are written', async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, () => world.ask()));
    const answers = asked.map(({ intentId, view }) =>
      world.operator.respond(intentId, { suspension_id: view.id, value: 'deny' }),
    );
    await Promise.race(answers);
    await server.kill();
    await server.restart();
    for (const { accepted } of await Promise.all(answers)) assert.equal(accepted, true);
    await world.stack.untilReady();
    for (const { intentId } of asked) {
      const types = await world.types(intentId, 3);
      assert.deepEqual(types, ['intent_created', 'intent.suspended', 'intent.resumed']);
    }
  });
});

describe('npm run migrate', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('brings a database up to date once, though two processes start at once', async () => {
    const env = { ...process.env, DATABASE_URL: server.url };
    const migrate = async (): Promise<string> => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [scriptOf('store/migrate-main.ts')],
        { env },
      );
      return stdout.trim();
    };
    const told = await Promise.all([migrate(), migrate()]);
    const fresh = told.filter((line) => line.startsWith('The database now has 0001-baseline'));
    assert.equal(fresh.length, 1, told.join(' | '));
    assert.ok(told.includes('The database was up to date.'), told.join(' | '));
  });
});
