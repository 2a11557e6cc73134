import assert from 'node:assert/strict';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createIntent } from '../../../../api/usecases/intent/create.js';
import { listIntents } from '../../../../api/usecases/intent/read.js';
import { createIntentRequestSchema } from '../../../../contracts/intent/intent.js';
import type { IntentInput } from '../../../../workflows/intent/messages.js';
import {
  ManualClock,
  callerOf,
  hanging,
  idle,
  refusalFrom,
  sequences,
  type FakeCall,
  type FakeHandlers,
  type Handler,
} from '../../support/fakes.js';
import { begun, fakeParts } from '../../support/parts.js';

const AGENT = callerOf('agent-1', 'agent');

interface Options {
  readonly args: readonly [IntentInput];
  readonly staticSummary: string;
  readonly workflowId: string;
}
const optionsOf = (call: FakeCall | undefined) => call?.args[0] as Options;

function bench(
  start: Handler = () => undefined,
  query: Handler = () => [],
  more: FakeHandlers = {},
) {
  const clock = new ManualClock();
  const { parts, calls, asked } = fakeParts({
    clock,
    temporal: { start, query, signal: () => undefined, update: begun, ...more },
    store: { lastSequences: sequences(() => 1) },
  });
  const create = (body: object = {}, key?: string, caller = AGENT) =>
    createIntent.run(
      { caller, parts },
      createIntentRequestSchema.parse({ title: 'Refund', ...body }),
      key,
    );
  const list = () => listIntents.run({ caller: AGENT, parts }, { limit: 10, offset: 0 });
  return { clock, calls, asked, create, list };
}

const alreadyStarted = (): never => {
  throw new WorkflowExecutionAlreadyStartedError('exists', '', 'intent');
};

describe('creating an intent', () => {
  it('starts its workflow, writes the rows of its first task, and waits for its first event in lists', async () => {
    const row = { kind: 'memory of a row' };
    const { create, calls, asked, list } = bench(undefined, undefined, {
      update: () => ({ rows: [row] }),
    });
    const intent = await create();
    assert.deepEqual([intent.version, intent.created_by], [1, 'agent-1']);
    assert.equal(optionsOf(calls[0]).workflowId, `intent-${intent.id}`);
    const [{ log_key, ...input }] = optionsOf(calls[0]).args;
    assert.deepEqual(input, { intent, sender_writes: true });
    assert.match(log_key ?? '', /^[\w-]{43}$/);
    const written = asked.find(({ name }) => name === 'writeRows');
    assert.deepEqual([calls[1]?.name, written?.args[0]], ['created', [row]]);
    assert.equal((await list()).stale, false);
    const waited = asked.find(({ name }) => name === 'lastSequences');
    assert.deepEqual(waited?.args[0], [intent.id]);
  });

  it('replies once its first task is done', async () => {
    let done: (result: object) => void = () => undefined;
    const update = () => new Promise((resolve) => (done = resolve));
    const { create, calls } = bench(undefined, undefined, { update });
    const creating = create();
    await idle();
    const first = await Promise.race([creating, Promise.resolve('waits')]);
    done({ rows: [] });
    assert.equal(first, 'waits');
    assert.deepEqual([(await creating).version, calls.at(-1)?.name], [1, 'created']);
  });

  for (const key of [undefined, 'key-1']) {
    const how = key === undefined ? 'without a key' : 'under a key';
    it(`needs no worker ${how}: what it has started counts`, async () => {
      let memo: unknown;
      const start: Handler = ({ args: [options] }) => {
        if (memo !== undefined) alreadyStarted();
        ({ memo } = options as { readonly memo: unknown });
      };
      const { create, clock } = bench(start, hanging, {
        update: hanging,
        describe: () => ({ memo }),
      });
      const creating = create({}, key);
      await clock.advance(8_000);
      assert.equal((await creating).version, 1);
    });
  }

  it('waits in vain for no worker if another request has started it under its key', async () => {
    let starts = 0;
    const start: Handler = () => {
      starts += 1;
      if (starts > 1) alreadyStarted();
    };
    const describe = () => ({ memo: { started_by: 'another request' } });
    const { create, clock } = bench(start, hanging, { update: hanging, describe });
    const refused = refusalFrom(create({}, 'key-1'));
    await clock.advance(30_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });

  it('is started later where Temporal did not take the start in at once', async () => {
    const starts: FakeCall[] = [];
    const start: Handler = (call) => {
      starts.push(call);
      return starts.length === 1 ? hanging(call) : undefined;
    };
    const { create, clock } = bench(start);
    const creating = create();
    await clock.advance(8_000);
    assert.equal((await creating).version, 1);
    assert.equal(starts.length, 2);
  });

  it('gives each request without a key an id of its own', async () => {
    const { create } = bench();
    assert.notEqual((await create()).id, (await create()).id);
  });

  it('gives each log a key of its own, also under one id', async () => {
    const { create, calls } = bench();
    await create({}, 'key-1');
    await create({}, 'key-1');
    const starts = calls.filter(({ name }) => name === 'intent');
    const keys = starts.map((call) => optionsOf(call).args[0].log_key);
    assert.equal(new Set(keys).size, 2);
  });

  it('derives one id from one key of one principal', async () => {
    const { create } = bench();
    const first = await create({}, 'key-1');
    const other = await create({}, 'key-1', callerOf('agent-2', 'agent'));
    assert.equal((await create({}, 'key-1')).id, first.id);
    assert.notEqual(other.id, first.id);
  });

  it('returns the intent a key has created before', async () => {
    const first = bench();
    const intent = await first.create({}, 'key-1');
    const { creation_hash } = optionsOf(first.calls[0]).args[0];
    const now = { ...intent, version: 5 };
    const again = bench(alreadyStarted, () => ({ intent: now, last_sequence: 9, creation_hash }));
    assert.deepEqual(await again.create({}, 'key-1'), now);
  });

  it('returns the intent as it stands if its key has created it and it runs', async () => {
    const first = bench();
    const intent = await first.create({}, 'key-1');
    const { creation_hash } = optionsOf(first.calls[0]).args[0];
    const now = { ...intent, version: 5 };
    const running = { intent: now, creation_hash, rows: [] };
    const again = bench(undefined, undefined, { update: () => running });
    assert.deepEqual(await again.create({}, 'key-1'), now);
  });

  it('refuses a key that created another intent, which runs', async () => {
    const another = () => ({ creation_hash: 'of another body', rows: [] });
    const { create } = bench(undefined, another, { update: another });
    assert.equal((await refusalFrom(create({}, 'key-1'))).code, 'idempotency_key_reused');
  });

  it('refuses a key that created another intent', async () => {
    const { create } = bench(alreadyStarted, () => ({ creation_hash: 'of another body' }));
    assert.equal((await refusalFrom(create({}, 'key-1'))).code, 'idempotency_key_reused');
  });

  it('lets only an admin name another creator', async () => {
    const { create, calls } = bench();
    assert.equal((await refusalFrom(create({ created_by: 'bob' }))).code, 'forbidden');
    assert.equal(calls.length, 0);
    const byAdmin = await create({ created_by: 'bob' }, undefined, callerOf('root', 'admin'));
    assert.equal(byAdmin.created_by, 'bob');
  });

  it('keeps its summary within what Temporal takes', async () => {
    const { create, calls } = bench();
    await create({ title: '\u{1F4B6}'.repeat(250) });
    const { staticSummary } = optionsOf(calls[0]);
    assert.ok(Buffer.byteLength(JSON.stringify(staticSummary)) <= 400);
    assert.ok(staticSummary.startsWith('\u{1F4B6}') && staticSummary.endsWith('\u{1F4B6}…'));
  });

  it('is unavailable if Temporal takes ten seconds', async () => {
    const { create, clock } = bench(hanging);
    const refused = refusalFrom(create());
    await clock.advance(10_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });
});
