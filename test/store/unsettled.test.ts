import assert from 'node:assert/strict';
import { writeRows } from '../../store/journal-writer.js';
import { contradicted } from '../../store/queries/work/quarantine.js';
import {
  intentsBehind,
  notCreated,
  notSettled,
  openQuestions,
  settledBetween,
  settledOf,
  type WaitingKey,
} from '../../store/queries/work/unsettled.js';
import { useStore } from '../support/store.js';
import { aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

describe('questions that are open in the store', () => {
  const store = useStore('emptied');

  async function ask(id: string, asked: number, space = 'default'): Promise<void> {
    const row = openedRow('i1', aRecord({ id, suspended_at: instant(asked) }));
    await writeRows(store.db, [row], space);
  }

  async function settle(id: string): Promise<void> {
    await writeRows(store.db, [settledRow(id, 1)]);
  }

  async function pages(until: number, limit: number): Promise<string[]> {
    const found: string[] = [];
    for (let after: WaitingKey | undefined; ;) {
      const page = await openQuestions(store.db, {
        until: instant(until),
        limit,
        ...(after && { after }),
      });
      if (page.length === 0) return found;
      assert.ok(page.length <= limit);
      found.push(...page.map(({ id, space }) => `${space}/${id}`));
      after = page.at(-1);
    }
  }

  it('are read page by page, the oldest first, of every space', async () => {
    await ask('q2', 20);
    await ask('q1', 10);
    await ask('q3', 10, 'team-b');
    await ask('q0', 10);
    await ask('later', 40);
    await ask('over', 5);
    await settle('over');
    const all = ['default/q0', 'default/q1', 'team-b/q3', 'default/q2'];
    for (const limit of [1, 2, 3, 200]) assert.deepEqual(await pages(30, limit), all);
  });

  it('are told from those that were settled in a time, which are read page by page', async () => {
    for (const [id, at] of [
      ['q1', 50],
      ['q2', 60],
      ['q3', 60],
      ['q4', 90],
    ] as const) {
      await ask(id, 10);
      const row = settledRow(id, 1);
      const settlement = { ...row.settlement, settled_at: instant(at) };
      await writeRows(store.db, [{ ...row, settlement }]);
    }
    await ask('open', 10);
    const time = { from: instant(60), to: instant(80) };
    const [first] = await settledBetween(store.db, { ...time, limit: 1 });
    assert.ok(first);
    const rest = await settledBetween(store.db, { ...time, limit: 2, after: first });
    assert.deepEqual(
      [first, ...rest].map(({ id }) => id),
      ['q2', 'q3'],
    );
    const page = ['q4', 'open', 'none', 'q1'].map((id) => ({ id, space: 'default' }));
    const settled = async (until: string) => {
      const found = await settledOf(store.db, [...page, { id: 'q2', space: 'team-b' }], until);
      return found.map(({ id }) => id);
    };
    assert.deepEqual(await settled(instant(90)), ['q4', 'q1']);
    assert.deepEqual(await settled(instant(89)), ['q1']);
  });

  it('are told from those with a refused outcome, with their askers', async () => {
    const from = new Date(Date.now() - 60_000).toISOString();
    await ask('q1', 10);
    await ask('q2', 10, 'team-b');
    for (const [id, space] of [
      ['q1', 'default'],
      ['q2', 'team-b'],
    ] as const) {
      await writeRows(store.db, [settledRow(id, 4)], space);
      for (const response of ['one', 'two']) {
        const row = settledRow(id, 5);
        const settlement = { ...row.settlement, response };
        const refused = await writeRows(store.db, [{ ...row, settlement }], space);
        assert.equal(refused.length, 1);
      }
    }
    const to = new Date(Date.now() + 60_000).toISOString();
    for (const range of [{ from, to }, to]) {
      const [first] = await contradicted(store.db, { range, limit: 1 });
      assert.ok(first);
      const { id, space, asked_by, waiting_workflow } = first;
      assert.deepEqual(
        [id, space, asked_by, waiting_workflow],
        ['q1', 'default', 'billing-agent', null],
      );
      const rest = await contradicted(store.db, { range, limit: 5, after: first });
      assert.deepEqual(
        rest.map((one) => `${one.space}/${one.id}`),
        ['team-b/q2'],
      );
    }
    assert.deepEqual(await contradicted(store.db, { range: { from: to, to }, limit: 5 }), []);
  });

  it('are told from those that are settled in their own space', async () => {
    await ask('q1', 10);
    await settle('q1');
    const asked = ['default', 'team-b'].map((space) => ({ id: 'q1', space }));
    assert.deepEqual(
      (await notSettled(store.db, asked)).map(({ space }) => space),
      ['team-b'],
    );
    assert.deepEqual(await notSettled(store.db, []), []);
  });

  /** Stores the intent as it was at an instant. */
  async function intentAt(seconds: number): Promise<void> {
    const intent = { ...anIntent({ id: 'i1', version: seconds }), updated_at: instant(seconds) };
    await writeRows(store.db, [{ kind: 'intent', intent, last_sequence: seconds }]);
  }

  it('tell which intents the store has as they were before, each once', async () => {
    const questions = ['q1', 'q2'].map((id) => ({ id, space: 'default' }));
    const behind = async (until = instant(3_600)) =>
      (await intentsBehind(store.db, questions, until)).map(({ id }) => id);
    await intentAt(5);
    assert.deepEqual(await behind(), []);
    await ask('q1', 10);
    await ask('q2', 10);
    assert.deepEqual(await behind(), ['i1']);
    assert.deepEqual(await behind(instant(9)), []);
    await intentAt(10);
    assert.deepEqual(await behind(), []);
    await settle('q1');
    assert.deepEqual(await behind(), ['i1']);
    await intentAt(3_600);
    assert.deepEqual(await behind(), []);
    assert.deepEqual(await intentsBehind(store.db, [], instant(3_600)), []);
  });

  it('may be of intents that the store does not have', async () => {
    const intents = ['i1', 'i2'].map((id) => ({ id, space: 'default' }));
    const elsewhere = { id: 'i1', space: 'team-b' };
    assert.deepEqual(await notCreated(store.db, intents), intents);
    await intentAt(5);
    assert.deepEqual(await notCreated(store.db, [...intents, elsewhere]), [intents[1], elsewhere]);
    assert.deepEqual(await notCreated(store.db, []), []);
  });
});
