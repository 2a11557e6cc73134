import assert from 'node:assert/strict';
import { writeRows } from '../../store/journal-writer.js';
import {
  intentsBehind,
  notCreated,
  notSettled,
  openQuestions,
} from '../../store/queries/unsettled.js';
import type { OpenKey } from '../../store/queries/unsettled.js';
import { emptyStore, withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

describe('questions that are open in the store', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  afterEach(() => emptyStore(store));
  after(() => store.close());

  async function ask(id: string, asked: number, space = 'default'): Promise<void> {
    const row = openedRow('i1', aRecord({ id, suspended_at: instant(asked) }));
    await writeRows(store.db, [row], space);
  }

  async function settle(id: string): Promise<void> {
    await writeRows(store.db, [settledRow(id, 1)]);
  }

  async function pages(until: number, limit: number): Promise<string[]> {
    const found: string[] = [];
    for (let after: OpenKey | undefined; ;) {
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
    const behind = async () => (await intentsBehind(store.db, questions)).map(({ id }) => id);
    await intentAt(5);
    assert.deepEqual(await behind(), []);
    await ask('q1', 10);
    await ask('q2', 10);
    assert.deepEqual(await behind(), ['i1']);
    await intentAt(10);
    assert.deepEqual(await behind(), []);
    await settle('q1');
    assert.deepEqual(await behind(), ['i1']);
    await intentAt(3_600);
    assert.deepEqual(await behind(), []);
    assert.deepEqual(await intentsBehind(store.db, []), []);
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
