import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { logOfNotes } from '../support/events.js';
import type { Checkpoint } from '../../contracts/log/checkpoint.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { LeafTree, hashOfCheckpoint } from '../../domain/log/checkpoint.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { checkCheckpoints } from '../../store/checked-export.js';
import { writeRows } from '../../store/journal-writer.js';
import { latestCheckpoint, leavesOf, listCheckpoints } from '../../store/queries/checkpoint.js';
import { takeCheckpoint } from '../../store/take-checkpoint.js';
import { useStore } from '../support/store.js';
import { aRecord, anIntent, instant, openedRow, timelineRow } from './rows.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));
const ALL = 1_000_000;
const now = () => new Date('2026-11-22T10:00:00.000Z');

describe('taking a checkpoint', () => {
  const store = useStore('emptied');

  const take = () => takeCheckpoint(store.db, { key: KEY, now });

  async function intentWith(length: number, log = logOfNotes(length, randomUUID())) {
    const id = log[0]?.intent_id ?? '';
    const events = log.slice(0, length);
    const head_hash = events.at(-1)?.event_hash ?? null;
    await writeRows(store.db, [
      ...events.map((event: IntentEvent) => ({ kind: 'event', event }) as const),
      { kind: 'intent', intent: anIntent({ id }), last_sequence: length, head_hash },
    ]);
    return { id, log, head_hash };
  }

  async function suspensionWith(entries: number): Promise<string> {
    const id = randomUUID();
    const timeline = [timelineRow(id, 1)].slice(0, entries);
    await writeRows(store.db, [openedRow(randomUUID(), aRecord({ id })), ...timeline]);
    return id;
  }

  async function assertRoot(checkpoint: Checkpoint): Promise<void> {
    const tree = new LeafTree();
    const leaves = await leavesOf(store.db, checkpoint.number, undefined, ALL);
    for (const leaf of leaves) assert.ok(tree.add(leaf), 'the leaves are in order');
    assert.deepEqual([tree.size, tree.rootHash], [checkpoint.tree_size, checkpoint.root_hash]);
  }

  it('covers the head of every log that there is, and nothing else', async () => {
    const { id, head_hash } = await intentWith(3);
    const chained = await suspensionWith(1);
    await suspensionWith(0);
    const { checkpoint, broken } = await take();
    assert.deepEqual(broken, []);
    const leaves = await leavesOf(store.db, 1, undefined, ALL);
    assert.deepEqual(
      leaves.map((leaf) => [leaf.kind, leaf.id, leaf.sequence]),
      [
        ['intent', id, 3],
        ['suspension', chained, 1],
      ],
    );
    assert.equal(leaves[0]?.head_hash, head_hash);
    await assertRoot(checkpoint);
  });

  it('chains checkpoints, and stores a leaf only where an end has changed', async () => {
    const { id, log } = await intentWith(2, logOfNotes(4, randomUUID()));
    await intentWith(1);
    const first = (await take()).checkpoint;
    const idle = (await take()).checkpoint;
    await intentWith(4, log);
    const third = (await take()).checkpoint;
    assert.deepEqual(
      [first, idle, third].map(({ number, previous_hash }) => [number, previous_hash]),
      [
        [1, null],
        [2, hashOfCheckpoint(first)],
        [3, hashOfCheckpoint(idle)],
      ],
    );
    assert.equal(idle.root_hash, first.root_hash);
    const rows = await store.db.selectFrom('checkpoint_leaves').selectAll().execute();
    assert.deepEqual(
      rows.filter((row) => row.id === id).map(({ checkpoint, sequence }) => [checkpoint, sequence]),
      [
        [1, 2],
        [3, 4],
      ],
    );
    assert.equal(rows.length, 3);
    for (const checkpoint of [first, idle, third]) await assertRoot(checkpoint);
    const lines = [first, idle, third].map((one) => JSON.stringify(one)).join('\n');
    assert.equal(checkCheckpoints(lines, [KEY.public_key]).count, 3);
    assert.deepEqual((await listCheckpoints(store.db, { limit: 2, offset: 0 })).checkpoints, [
      third,
      idle,
    ]);
    assert.deepEqual(await latestCheckpoint(store.db), third);
  });

  it('keeps the leaf of a log that was cut off, made anew or removed', async () => {
    const cut = await intentWith(3);
    const anew = await intentWith(2);
    const gone = await intentWith(2);
    await take();
    const { db } = store;
    await db
      .deleteFrom('events')
      .where('intent_id', '=', cut.id)
      .where('sequence', '=', 3)
      .execute();
    await db.deleteFrom('events').where('intent_id', 'in', [anew.id, gone.id]).execute();
    await db.deleteFrom('intents').where('id', '=', gone.id).execute();
    await intentWith(5, logOfNotes(5, anew.id));
    const { checkpoint, broken } = await take();
    assert.deepEqual(broken.map(({ id }) => id).toSorted(), [cut.id, anew.id].toSorted());
    const leaves = await leavesOf(db, 2, undefined, ALL);
    assert.deepEqual(Object.fromEntries(leaves.map(({ id, sequence }) => [id, sequence])), {
      [cut.id]: 3,
      [anew.id]: 2,
      [gone.id]: 2,
    });
    await assertRoot(checkpoint);
  });

  it('pages over many logs, and goes on where it was cut off', async () => {
    const ids = Array.from({ length: 1_203 }, () => randomUUID());
    for (let from = 0; from < ids.length; from += 100) {
      const rows = ids.slice(from, from + 100).flatMap((id) => {
        const [event] = logOfNotes(1, id);
        assert.ok(event);
        const intent = anIntent({ id, created_at: instant(0) });
        return [
          { kind: 'event', event } as const,
          { kind: 'intent', intent, last_sequence: 1, head_hash: event.event_hash } as const,
        ];
      });
      await writeRows(store.db, rows);
    }
    let pages = 0;
    const killed = takeCheckpoint(store.db, {
      key: KEY,
      now,
      goOn: () => {
        if (++pages === 2) throw new Error('killed');
      },
    });
    await assert.rejects(killed, /killed/);
    assert.equal(await latestCheckpoint(store.db), undefined);
    const { checkpoint } = await take();
    assert.equal(checkpoint.tree_size, 1_203);
    await assertRoot(checkpoint);
  });

  it('signs one after the other where two processes sign at once', async () => {
    await intentWith(2);
    const taken = await Promise.all([take(), take()]);
    const numbers = taken.map(({ checkpoint }) => checkpoint.number).toSorted();
    assert.deepEqual(numbers, [1, 2]);
    for (const { checkpoint } of taken) await assertRoot(checkpoint);
    const lines = taken
      .map(({ checkpoint }) => checkpoint)
      .toSorted((a, b) => a.number - b.number)
      .map((one) => JSON.stringify(one));
    assert.equal(checkCheckpoints(lines.join('\n'), [KEY.public_key]).count, 2);
  });
});
