import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { before, describe, it } from 'mocha';
import type { Checkpoint, CheckpointLeaf } from '../../contracts/log/checkpoint.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { hashOfEvent } from '../../domain/log/seal.js';
import { uuidFrom } from '../../domain/kernel/hashing.js';
import { LeafTree, compareLeaves, hashOfCheckpoint } from '../../domain/log/checkpoint.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { checkCheckpoints, checkWholeExport } from '../../store/checked-export.js';
import { signed as seal } from '../../store/take-checkpoint.js';
import { logOfNotes } from '../support/events.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';
import { withFolder } from '../support/temp-folder.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));
const OTHER_KEY = checkpointKeyOf(new Uint8Array(32).fill(8));

type Log = readonly IntentEvent[];

function leafOf(log: Log): CheckpointLeaf {
  const last = log.at(-1) ?? assert.fail();
  const { intent_id: id, sequence, event_hash: head_hash } = last;
  return { kind: 'intent', id, sequence, head_hash };
}

/** A checkpoint over logs, and over others that retention has removed. */
function signed(logs: readonly Log[], previous?: Checkpoint, key = KEY, retired: Log[] = []) {
  const removed = retired.map((log) => ({ ...leafOf(log), removed: 'retention' }) as const);
  const leaves = [...logs.map(leafOf), ...removed].toSorted(compareLeaves);
  const tree = new LeafTree();
  for (const leaf of leaves) tree.add(leaf);
  const checkpoint = seal(key, {
    number: (previous?.number ?? 0) + 1,
    signed_at: '2026-11-22T10:00:00.000Z',
    tree_size: tree.size,
    root_hash: tree.rootHash,
    previous_hash: previous ? hashOfCheckpoint(previous) : null,
    public_key: key.public_key,
  });
  return { checkpoint, leaves };
}

function exported(leaves: readonly CheckpointLeaf[], logs: readonly Log[]): string[] {
  const lines: object[] = leaves.map((leaf) => ({ leaf }));
  for (const log of logs) lines.push(...log, { end_of_log: { intent_id: log[0]?.intent_id } });
  return [...lines, { end_of_export: { checkpoint: 1 } }].map((line) => JSON.stringify(line));
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function faultsOf(lines: readonly string[], checkpoint: Checkpoint): Promise<string[]> {
  const { faults } = await checkWholeExport(each(lines), checkpoint);
  return faults.map(({ kind }) => kind);
}

/** The same log with another payload in an event, hashed again from there on, as somebody with the code could. */
function madeAnew(log: Log, from: number): Log {
  let previous: string | null = null;
  return log.map((event) => {
    if (event.sequence < from) {
      previous = event.event_hash;
      return event;
    }
    const linked = { ...event, actor: 'mallory', previous_event_hash: previous };
    const event_hash = hashOfEvent(linked);
    previous = event_hash;
    return { ...linked, event_hash, id: uuidFrom(event_hash) };
  });
}

describe('an export of all logs, checked against a checkpoint without the service', () => {
  const logs = Array.from({ length: 5 }, () => logOfNotes(4, randomUUID()));
  const [first = [], second = [], ...others] = logs;
  const { checkpoint, leaves } = signed(logs);

  it('proves every log that was signed, also if it has grown', async () => {
    const report = await checkWholeExport(each(exported(leaves, logs)), checkpoint);
    assert.deepEqual(report, { proven: 5, retired: 0, events: 20, faults: [] });
    const before = signed(logs.map((log) => log.slice(0, 2)));
    const grown = await checkWholeExport(each(exported(before.leaves, logs)), before.checkpoint);
    assert.deepEqual([grown.proven, grown.faults], [5, []]);
  });

  it('finds a log that was cut off at its end', async () => {
    const lines = exported(leaves, [first.slice(0, 3), second, ...others]);
    assert.deepEqual(await faultsOf(lines, checkpoint), ['truncated']);
  });

  it('finds a log that was made anew from some event on', async () => {
    const forged = madeAnew(first, 2);
    assert.deepEqual(await faultsOf(exported(leaves, [forged, second, ...others]), checkpoint), [
      'rewritten',
    ]);
    const changed = first.map((one) => (one.sequence === 2 ? { ...one, actor: 'mallory' } : one));
    assert.deepEqual(await faultsOf(exported(leaves, [changed, second, ...others]), checkpoint), [
      'rewritten',
    ]);
  });

  it('finds a log that was removed, from the list of logs too', async () => {
    assert.deepEqual(await faultsOf(exported(leaves, [second, ...others]), checkpoint), [
      'removed',
    ]);
    const unlisted = leaves.filter(({ id }) => id !== first[0]?.intent_id);
    assert.deepEqual(await faultsOf(exported(unlisted, [second, ...others]), checkpoint), [
      'unlisted',
    ]);
  });

  it('finds a log that retention is said to have removed, but did not', async () => {
    const claimed = leaves.map((leaf) =>
      leaf.id === first[0]?.intent_id ? { ...leaf, removed: 'retention' as const } : leaf,
    );
    assert.deepEqual(await faultsOf(exported(claimed, [second, ...others]), checkpoint), [
      'unlisted',
    ]);
    const honest = signed([second, ...others], undefined, KEY, [first]);
    const lines = exported(honest.leaves, [second, ...others]);
    const report = await checkWholeExport(each(lines), honest.checkpoint);
    assert.deepEqual([report.proven, report.retired, report.faults], [4, 1, []]);
  });

  it('finds a file that was cut off, and refuses what is no export', async () => {
    assert.deepEqual(await faultsOf(exported(leaves, logs).slice(0, -1), checkpoint), ['cut_off']);
    for (const line of ['{', '[]', '{"a":1}', '{"leaf":{"kind":"intent"}}']) {
      await assert.rejects(checkWholeExport(each([line]), checkpoint), /^NoLogError: line 1 is/);
    }
    const more = [...exported(leaves, logs), '{"end_of_export":{}}'];
    await assert.rejects(checkWholeExport(each(more), checkpoint), /comes after the end/);
  });
});

describe('npm run verify-log with a checkpoint', () => {
  const MAIN = scriptOf('store/verify-main.ts');
  const logs = [logOfNotes(3, randomUUID()), logOfNotes(2, randomUUID())];
  const { checkpoint, leaves } = signed(logs);
  let folder = '';
  withFolder((made) => (folder = made), 'suite');
  before(async () => {
    await writeFile(path.join(folder, 'checkpoints'), `${JSON.stringify(checkpoint)}\n`);
    await writeFile(path.join(folder, 'whole'), exported(leaves, logs).join('\n'));
    await writeFile(path.join(folder, 'less'), exported(leaves, logs.slice(1)).join('\n'));
  });

  async function run(...args: string[]): Promise<string> {
    const { code, out, err } = await endOf([MAIN, ...args]);
    return `${code} ${out}${err}`;
  }
  const file = (name: string) => path.join(folder, name);

  it('needs neither store nor Temporal, and says what is proven', async () => {
    const by = ['--checkpoint', file('checkpoints'), '--key', KEY.public_key];
    const whole = await run('--export', file('whole'), ...by);
    assert.match(whole, /^0 ok: 2 logs, 5 events; 1 checkpoints from 1 to 1, the last signed at /);
    assert.match(await run(...by), /^0 ok: 1 checkpoints from 1 to 1, .* over 2 logs\n$/);
    const less = await run('--export', file('less'), ...by);
    assert.match(less, /^1 removed: The log of intent [\w-]{36} is not there\.\n$/);
  });

  it('refuses another key, files that it cannot use, and what it does not know', async () => {
    const checkpoints = ['--checkpoint', file('checkpoints')];
    const wrong = await run(...checkpoints, '--key', OTHER_KEY.public_key);
    assert.match(wrong, /^1 .*proves nothing: checkpoint 1 is signed with another key, ed25519:/);
    const none = ['--checkpoint', file('none'), '--key', KEY.public_key];
    assert.match(await run(...none), /^1 .* cannot be read/);
    assert.match(await run(...checkpoints), /^2 Usage: npm run verify-log/);
    assert.match(await run(...checkpoints, '--key', 'a key'), /^2 Usage: npm run verify-log/);
  });
});

describe('a file of checkpoints', () => {
  const logs = [logOfNotes(2, randomUUID())];
  const one = signed(logs).checkpoint;
  const two = signed(logs, one).checkpoint;
  const three = signed(logs, two).checkpoint;
  const check = (checkpoints: readonly object[], keys = [KEY.public_key]) =>
    checkCheckpoints(checkpoints.map((line) => JSON.stringify(line)).join('\n'), keys);

  it('is proven from its first checkpoint on, repeated deliveries included', () => {
    assert.deepEqual(check([one, one, two, three]), { checkpoint: three, count: 3, first: 1 });
    assert.deepEqual(check([two, three]), { checkpoint: three, count: 2, first: 2 });
  });

  it('shows each change of a checkpoint', () => {
    const hash = `sha256:${'A'.repeat(43)}`;
    const changes = [
      { signed_at: '2026-11-22T11:00:00.000Z' },
      { tree_size: 2 },
      { root_hash: hash },
      { previous_hash: hash },
      { number: 7 },
      { signature: 'A'.repeat(86) },
    ];
    for (const change of changes) {
      assert.throws(() => check([{ ...one, ...change }]), /is not as it was signed/);
    }
  });

  it('shows that a checkpoint was removed from the chain, or replaced', () => {
    assert.throws(() => check([one, three]), /after checkpoint 1 comes 3/);
    const another = signed([logOfNotes(1, randomUUID())]).checkpoint;
    assert.throws(
      () => check([another, two]),
      /checkpoint 2 was signed after another checkpoint 1/,
    );
    const begun = seal(KEY, { ...one, previous_hash: one.root_hash });
    assert.throws(() => check([begun]), /checkpoint 1 names another before it/);
    assert.throws(() => check([]), /there is no checkpoint/);
  });

  it('counts only what a trusted key has signed', () => {
    assert.throws(() => check([one], [OTHER_KEY.public_key]), /signed with another key/);
    const forged = seal(OTHER_KEY, { ...one, public_key: KEY.public_key });
    assert.throws(() => check([forged]), /is not as it was signed/);
    const later = signed(logs, one, OTHER_KEY).checkpoint;
    assert.throws(() => check([one, later]), /checkpoint 2 is signed with another key/);
    assert.equal(check([one, later], [KEY.public_key, OTHER_KEY.public_key]).count, 2);
  });

  it('is refused if a line is no checkpoint', () => {
    assert.throws(() => check([{ number: 1 }]), /line 1 is no checkpoint/);
    assert.throws(() => checkCheckpoints('{', [KEY.public_key]), /line 1 is not JSON/);
  });
});
