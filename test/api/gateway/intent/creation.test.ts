import assert from 'node:assert/strict';
import { createCreationOf } from '../../../../api/gateway/calls/once.js';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { createCreation } from '../../../../api/gateway/intent/creation.js';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { createIntentRequestSchema } from '../../../../contracts/intent.js';
import type { IntentInput } from '../../../../workflows/intent/messages.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  hanging,
  ManualClock,
  refusalFrom,
  silent,
  type FakeCall,
} from '../support.js';

const AGENT = callerOf('agent-1', 'agent');

interface Options {
  readonly args: readonly [IntentInput];
  readonly staticSummary: string;
  readonly workflowId: string;
}
const optionsOf = (call: FakeCall | undefined) => call?.args[0] as Options;

function bench(start: (call: FakeCall) => unknown = () => undefined, query?: () => unknown) {
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ start, ...(query && { query }) });
  const touched: unknown[] = [];
  const consistency = {
    touch: (...seen: [string, number?]) => {
      touched.push(seen);
    },
  };
  const creation = createCreation({
    temporal: createTemporal(client, clock),
    clock,
    write: () => Promise.reject(new Error('nothing is written')),
    reads: { getIntent: () => Promise.reject(new Error('nothing is read')) },
    readNamed: () => Promise.reject(new Error('nothing is named')),
    consistency,
    fromStore: createFromStore(fakeStore(), clock, silent),
    creationOf: createCreationOf(['the secret of the tests']),
    intentRows: { collectLater: (id) => touched.push(`rows of ${id}`) },
  });
  const create = (body: object = {}, key?: string, caller = AGENT) =>
    creation.createIntent(
      caller,
      createIntentRequestSchema.parse({ title: 'Refund', ...body }),
      key,
    );
  return { clock, calls, touched, create };
}

const alreadyStarted = (): never => {
  throw new WorkflowExecutionAlreadyStartedError('exists', '', 'intent');
};

describe('creating an intent', () => {
  it('starts its workflow, writes its rows, and waits for its first event in lists', async () => {
    const { create, calls, touched } = bench();
    const intent = await create();
    assert.deepEqual([intent.version, intent.created_by], [1, 'agent-1']);
    assert.equal(optionsOf(calls[0]).workflowId, `intent-${intent.id}`);
    const [{ log_key, ...input }] = optionsOf(calls[0]).args;
    assert.deepEqual(input, { intent, sender_writes: true });
    assert.match(log_key ?? '', /^[\w-]{43}$/);
    assert.deepEqual(touched, [`rows of ${intent.id}`, [intent.id, 1]]);
  });

  it('gives each request without a key an id of its own', async () => {
    const { create } = bench();
    assert.notEqual((await create()).id, (await create()).id);
  });

  it('gives each log a key of its own, also under one id', async () => {
    const { create, calls } = bench();
    await create({}, 'key-1');
    await create({}, 'key-1');
    const keys = calls.map((call) => optionsOf(call).args[0].log_key);
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
