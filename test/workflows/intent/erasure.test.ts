import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IntentErasure } from '../../../contracts/log/erasure.js';
import { verifyChain } from '../../support/verified-chain.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import {
  appendEventUpdate,
  erasePersonalDataUpdate,
  suspendUpdate,
} from '../../../workflows/intent/messages.js';
import {
  forgetSignal,
  recordQuery,
  respondUpdate,
} from '../../../workflows/suspension/messages.js';
import { replay } from '../support/histories.js';
import {
  everythingOf,
  heard,
  insist,
  logOf,
  patch,
  refusalOf,
  snapshotOf,
  typesOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perTest, World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';
import { caller, sent } from '../../support/callers.js';

/** Stands in everything that is erased. */
const DATA = 'ada@example.com';
const ADMIN = sent('root', 'admin');

/** Everything that a history says, with its payloads as text. */
function textIn(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textIn).join('\n');
}

describe('an intent of which the personal data is erased', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  /** An intent with a settled question, and data wherever a client can put it. */
  async function lived() {
    const intent = { ...(await world.newIntent()), title: DATA, description: DATA };
    const handle = await world.startIntent({ intent, creation_hash: `hash of ${DATA}` });
    await patch(handle, [{ op: 'set', path: 'mail', value: DATA }]);
    const question = { question: `Refund ${DATA}?`, context: { mail: DATA } };
    const view = await world.ask(handle, question, 'the key');
    const answer = { ...(await world.answer(view)), metadata: { note: DATA } };
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
    const note = { ...sent('agent-1'), event_type: 'note', payload: { mail: DATA }, key: 'a key' };
    await handle.executeUpdate(appendEventUpdate, { args: [note] });
    await heard(handle);
    return { handle, view, note };
  }

  function erase(handle: IntentHandle, sender = ADMIN): Promise<IntentErasure> {
    return handle.executeUpdate(erasePersonalDataUpdate, { args: [sender] });
  }

  async function runOf(handle: IntentHandle): Promise<string> {
    return (await handle.describe()).runId;
  }

  async function nextRun(handle: IntentHandle, first: string): Promise<void> {
    await lookUntil(async () => (await runOf(handle)) !== first, 'it stays in its run');
  }

  /** What the store was handed last of each event, in order. */
  async function written(handle: IntentHandle) {
    const log = await logOf(world, handle);
    const last = new Map(log.map((event) => [event.sequence, event]));
    return [...last.values()].sort((a, b) => a.sequence - b.sequence);
  }

  it('goes on in a new run that has none of it, and tells who erased it and when [R25-03]', async () => {
    const { handle } = await lived();
    await snapshotOf(handle);
    const first = await runOf(handle);
    const { last_sequence: through_sequence } = await handle.query(positionQuery);
    const { version } = (await snapshotOf(handle)).intent;
    const rows = world.activities.rows.length;

    const erasure = await erase(handle);

    const { erased_at, ...rest } = erasure;
    const event_sequence = through_sequence + 1;
    const intent_id = (await snapshotOf(handle)).intent.id;
    assert.deepEqual(rest, { intent_id, erased_by: 'root', through_sequence, event_sequence });
    await nextRun(handle, first);
    const snapshot = await snapshotOf(handle);
    assert.equal(JSON.stringify(snapshot).includes(DATA), false);
    assert.deepEqual([snapshot.intent.title, snapshot.intent.version], ['[erased]', version + 1]);
    assert.equal(snapshot.creation_hash, undefined);
    const { events } = await handle.fetchHistory();
    const texts = textIn(events);
    assert.equal(texts.includes('[erased]'), true);
    assert.equal(texts.includes(DATA), false, 'the new run was handed it');
    const late = world.activities.rows.slice(rows);
    assert.equal(JSON.stringify(late).includes(DATA), false);
    const event = (await written(handle)).at(-1);
    assert.deepEqual(
      [event?.event_type, event?.principal, event?.created_at, event?.payload],
      ['personal_data_erased', 'root', erased_at, { through_sequence }],
    );
    await replay(handle);
  });

  it('hands rows on erased that the store would not take before', async () => {
    const handle = await world.openIntent({ creation_hash: `hash of ${DATA}` });
    await snapshotOf(handle);
    const first = await runOf(handle);
    world.activities.storeIsDown = true;
    await patch(handle, [{ op: 'set', path: 'mail', value: DATA }]);
    await patch(handle, [{ op: 'set', path: 'mail', value: `${DATA}, again` }]);
    const { through_sequence } = await erase(handle);
    await nextRun(handle, first);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    const log = await written(handle);
    assert.equal(JSON.stringify(world.activities.rows.slice(-6)).includes(DATA), false);
    assert.deepEqual(typesOf(log).slice(1), [
      'state_patched',
      'state_patched',
      'personal_data_erased',
    ]);
    const report = verifyChain(log);
    assert.deepEqual([report.breaks, report.erased], [[], [2, 3]]);
    const kinds = world.activities.rows.map(({ kind }) => kind);
    assert.ok(kinds.lastIndexOf('erasure') < kinds.lastIndexOf('event'));
    assert.equal(through_sequence, 3);
  });

  it('still knows its requests and its events, without what they said', async () => {
    const { handle, view, note } = await lived();
    const first = await runOf(handle);
    await erase(handle);
    await nextRun(handle, first);
    const { draft } = await drafted(handle);
    const request = { key: 'the key', body_hash: 'another' };
    const input = { ...sent('agent-1'), draft, request };
    const receipt = await insist(() => handle.executeUpdate(suspendUpdate, { args: [input] }));
    assert.deepEqual(receipt, { suspension_id: view.id, reattached: true });
    const repeated = await handle.executeUpdate(appendEventUpdate, { args: [note] });
    assert.deepEqual([repeated.payload, repeated.erased], [{}, true]);
    const { suspension_id } = { suspension_id: view.id };
    const claim = {
      ...sent('agent-1'),
      event_type: 'intent.suspended',
      payload: { suspension_id },
      posted: true,
    } as const;
    await handle.executeUpdate(appendEventUpdate, { args: [claim] });
  });

  async function drafted(handle: IntentHandle) {
    const { intent } = await snapshotOf(handle);
    assert.equal(intent.status, 'active');
    return { draft: { question: 'x', response_type: 'confirm', fallback_policy: 'fail' } as const };
  }

  it('is erased after it has ended, as long as its workflow waits for the store', async () => {
    const { handle } = await lived();
    world.activities.storeIsDown = true;
    await writeStatus(handle, 'abandoned', { reason: DATA });
    await erase(handle);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await handle.result();
    const last = world.activities.rows.findLast(({ kind }) => kind === 'intent');
    assert.equal(JSON.stringify(last).includes(DATA), false);
    assert.equal(last?.kind === 'intent' && last.intent.status, 'abandoned');
    assert.equal(typesOf(await written(handle)).at(-1), 'personal_data_erased');
  });

  it('is not erased by others than admins, nor while it waits for an answer', async () => {
    const handle = await world.openIntent();
    const operator = { by: caller('alice', 'operator'), actor: 'alice' };
    assert.equal((await refusalOf(erase(handle, operator))).code, 'forbidden');
    assert.equal((await refusalOf(erase(handle, sent('agent-1')))).code, 'forbidden');
    const view = await world.ask(handle);
    const before = await everythingOf(world, handle);
    const { code, field, accepted } = await refusalOf(erase(handle));
    assert.deepEqual(
      [code, field, accepted],
      ['question_open', 'status', 'an intent whose questions are all settled'],
    );
    assert.deepEqual(await everythingOf(world, handle), before);
    await world.respond(view);
    await heard(handle);
    await erase(handle);
  });

  it('lets a settled question forget whose workflow still lives', async () => {
    const handle = await world.openIntent();
    await snapshotOf(handle);
    world.activities.storeIsDown = true;
    const view = await world.ask(handle, { question: `Refund ${DATA}?`, context: { mail: DATA } });
    // So large that the intent does not take the row over.
    const metadata = { note: DATA.repeat(4_300) };
    const answer = { ...(await world.answer(view)), metadata };
    const suspension = world.suspension(view.id);
    await suspension.executeUpdate(respondUpdate, { args: [answer] });
    assert.equal((await suspension.describe()).status.name, 'RUNNING');
    await suspension.signal(forgetSignal, 'no instant');
    assert.equal(JSON.stringify(await suspension.query(recordQuery)).includes(DATA), true);

    const { erased_at } = await erase(handle);

    await lookUntil(async () => {
      const { record } = await suspension.query(recordQuery);
      return record.erased_at === erased_at;
    }, 'the question does not forget');
    assert.equal(JSON.stringify(await suspension.query(recordQuery)).includes(DATA), false);
    const rows = world.activities.rows.length;
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await suspension.result();
    assert.equal(JSON.stringify(await suspension.result()).includes(DATA), false);
    const late = world.activities.rows.slice(rows).filter(({ kind }) => kind === 'timeline');
    assert.ok(late.length > 0);
    assert.equal(JSON.stringify(late).includes(DATA), false);
    await replay(suspension);
  });

  it('leaves an open question as it is, whoever tells it to forget', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle, { question: `Refund ${DATA}?` });
    const suspension = world.suspension(view.id);
    await suspension.signal(forgetSignal, new Date(0).toISOString());
    const { record } = await suspension.query(recordQuery);
    assert.equal(record.question, `Refund ${DATA}?`);
  });
});
