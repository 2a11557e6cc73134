import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AccessEntry, AccessList, Guarded, Reader } from '../../contracts/intent/access.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { feedEnd } from '../../store/feed/end.js';
import { readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { findEvents, listEvents } from '../../store/queries/event-log.js';
import { asksOpenQuestion, listIntents } from '../../store/queries/intent.js';
import { logIdOf } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { aRecord, anEvent, anIntent, openedRow } from './rows.js';

const ME = 'me';
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

function entry(fields: Partial<AccessEntry>): AccessEntry {
  return {
    id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
    principal_id: ME,
    principal_type: 'agent',
    permission: 'read',
    granted_by: 'owner',
    granted_at: PAST,
    expires_at: null,
    reason: null,
    ...fields,
  };
}

const closed = (...entries: AccessEntry[]): AccessList => ({ default_policy: 'closed', entries });
const open = (...entries: AccessEntry[]): AccessList => ({ default_policy: 'open', entries });
const group = { principal_id: 'research', principal_type: 'group' } as const;

/** What intents there are, by owner and access list. */
const KINDS: readonly (Guarded & { readonly access?: AccessList })[] = [
  { owner: ME },
  { owner: 'owner' },
  { owner: undefined },
  { owner: ME, access: closed() },
  { owner: 'owner', access: open() },
  { owner: 'owner', access: closed() },
  { owner: 'owner', access: closed(entry({})) },
  { owner: 'owner', access: closed(entry({ expires_at: PAST })) },
  { owner: 'owner', access: closed(entry({ expires_at: FUTURE })) },
  { owner: 'owner', access: closed(entry(group)) },
  { owner: 'owner', access: closed(entry({ ...group, principal_id: ME })) },
  { owner: 'owner', access: closed(entry({ principal_id: 'research' })) },
  { owner: 'owner', access: open(entry({ principal_id: 'another' })) },
  { owner: undefined, access: closed(entry({ principal_id: 'another' })) },
  { owner: 'owner', access: closed(), askers: [ME] },
  { owner: 'owner', access: closed(), askers: ['another'] },
];

const READERS: readonly (Reader | undefined)[] = [
  undefined,
  { principal: ME, groups: [] },
  { principal: ME, groups: ['research'] },
  { principal: ME, groups: [], own: true },
  { principal: ME, groups: ['research'], own: true },
  { principal: 'nobody', groups: [] },
];

describe('what a reader reads of the store', () => {
  let store: TestStore;
  const written: { readonly id: string; readonly guarded: Guarded }[] = [];
  before(async () => {
    store = await withStore();
    for (const { owner, access, askers } of KINDS) {
      const intent = anIntent({ ...(owner && { owner }), ...(access && { access }) });
      const event = anEvent({ intent_id: intent.id, event_type: 'escalation_requested' });
      const questions = (askers ?? []).map((asked_by) => ({
        ...openedRow(intent.id, aRecord()),
        asked_by,
      }));
      await writeRows(store.db, [
        { kind: 'event', event },
        { kind: 'intent', intent, last_sequence: 1 },
        ...(questions as never[]),
      ]);
      written.push({ id: intent.id, guarded: { owner, access, askers } });
    }
  });
  after(() => store.close());

  const page = { limit: 100, offset: 0 };
  const readableTo = (reader: Reader | undefined) =>
    written.filter(({ guarded }) => mayRead(reader, guarded, Date.now())).map(({ id }) => id);

  for (const reader of READERS) {
    it(`is the same by its query and by the rule: ${JSON.stringify(reader ?? null)}`, async () => {
      const expected = readableTo(reader).sort();
      const listed = (await listIntents(store.db, { ...page, reader })).rows;
      assert.deepEqual(listed.map(({ id }) => id).sort(), expected);
      const events = (await findEvents(store.db, ['escalation_requested'], page, reader)).rows;
      assert.deepEqual(events.map(({ intent_id }) => intent_id).sort(), expected);
      const range = { after: 0, upTo: (await feedEnd(store.db)) + 1_000, limit: 100 };
      const { rows } = await readFeed(store.db, { kind: 'all', space: 'default' }, range);
      const streamed = rows.filter(({ guarded }) => mayRead(reader, guarded, Date.now()));
      assert.deepEqual(streamed.map(({ event }) => logIdOf(event)).sort(), expected);
    });
  }

  it('is of the log of a portfolio what is about members that it may read', async () => {
    const id = randomUUID();
    const events = written.map((member, index) =>
      anEvent({
        intent_id: id,
        sequence: index + 2,
        event_type: 'portfolio.member_added',
        payload: { portfolio_id: id, intent_id: member.id },
      }),
    );
    const created = anEvent({ intent_id: id, event_type: 'portfolio.created' });
    for (const event of [created, ...events]) await writeRows(store.db, [{ kind: 'event', event }]);
    const membersIn = (rows: readonly unknown[]) =>
      (rows as readonly IntentEvent[])
        .filter(({ event_type }) => event_type === 'portfolio.member_added')
        .map(({ payload }) => payload['intent_id'])
        .sort();
    const range = { after: 0, upTo: (await feedEnd(store.db)) + 1_000, limit: 200 };
    const scope = { kind: 'portfolio', id, space: 'default' } as const;
    const { rows: entries } = await readFeed(store.db, scope, range);
    for (const reader of READERS) {
      const expected = readableTo(reader).sort();
      const { rows } = await listEvents(store.db, id, page, reader);
      assert.deepEqual(membersIn(rows), expected, JSON.stringify(reader));
      assert.equal(rows.length, expected.length + 1);
      const streamed = entries.filter(({ guarded }) => mayRead(reader, guarded, Date.now()));
      assert.deepEqual(membersIn(streamed.map(({ event }) => event)), expected);
    }
  });

  it('tells who asks an open question', async () => {
    const asked = written.find(({ guarded }) => guarded.askers?.includes(ME)) ?? assert.fail();
    assert.equal(await asksOpenQuestion(store.db, asked.id, ME), true);
    assert.equal(await asksOpenQuestion(store.db, asked.id, 'owner'), false);
  });
});
