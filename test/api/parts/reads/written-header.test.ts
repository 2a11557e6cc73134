import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inRequest } from '../../../../api/parts/calls/request.js';
import { createMemories, memoriesIn } from '../../../../api/parts/reads/write-memory.js';
import { Replica, createWrittenHeader } from '../../../../api/parts/reads/written.js';
import type { IdSecrets } from '../../../../contracts/server/config.js';
import { ManualClock } from '../../support/fakes.js';

const SECRETS: IdSecrets = ['a secret'];

/** One space of a replica, with its memory of writes. */
function replicaIn(space: string, idSecrets = SECRETS, clock = new ManualClock()) {
  const memory = memoriesIn(createMemories(), space);
  const replica = new Replica();
  let waits = 0;
  const catchUp = async () => {
    waits += 1;
  };
  const header = createWrittenHeader({ idSecrets, clock, space, memory, replica, catchUp });
  return { memory, header, waits: () => waits };
}

type Side = ReturnType<typeof replicaIn>;

/** The header of the reply to a request that does some work. */
function headerOf({ header }: Side, work: () => void): Promise<string | undefined> {
  return inRequest(new AbortController().signal, async () => {
    work();
    return header.ofRequest();
  });
}

/** The header after one question was settled. */
const settling = (side: Side, id = 'q') =>
  headerOf(side, () => side.memory.questions.touch(id, 'settled'));

const questionsOf = ({ memory }: Side) =>
  [...memory.questions.entries].map(([id, { wanted }]) => [id, wanted]);

describe('what a reply says that its request wrote', () => {
  it('is remembered by another replica, of each kind', async () => {
    const [one, other] = [replicaIn('a'), replicaIn('a')];
    const text = await headerOf(one, () => {
      one.memory.questions.touch('q', 'settled');
      one.memory.logs.touch('i', { sequence: 4 });
      one.memory.logs.touch('j', { sequence: undefined });
      one.memory.approvals.touch('p', { version: 2 });
    });
    other.header.takeIn(`${text}, nonsense`);
    assert.deepEqual(questionsOf(other), [['q', 'settled']]);
    assert.deepEqual(
      [...other.memory.logs.entries.values()].map(({ wanted }) => wanted.sequence),
      [4, undefined],
    );
    assert.deepEqual(other.memory.approvals.entries.get('p')?.wanted, { version: 2 });
  });

  it('is nothing where the store shows all of it, or nothing was written', async () => {
    const one = replicaIn('a');
    const text = await headerOf(one, () => {
      const { touch, forget } = one.memory.questions;
      forget('q', touch('q', 'settled'));
    });
    assert.equal(text, undefined);
    assert.equal(await headerOf(one, () => undefined), undefined);
    assert.equal(await one.header.ofRequest(), undefined);
    assert.equal(one.waits(), 0);
  });

  it('is nothing new to the replica that wrote it', async () => {
    const one = replicaIn('a');
    const text = await settling(one);
    const entry = one.memory.questions.entries.get('q');
    assert.ok(entry);
    one.memory.questions.forget('q', entry);
    one.header.takeIn(text);
    assert.deepEqual(questionsOf(one), []);
  });

  it('is taken in once by a replica, whose store shows it meanwhile', async () => {
    const [one, other] = [replicaIn('a'), replicaIn('a')];
    const text = await settling(one);
    other.header.takeIn(text);
    const entry = other.memory.questions.entries.get('q');
    assert.ok(entry);
    other.memory.questions.forget('q', entry);
    other.header.takeIn(text);
    assert.deepEqual(questionsOf(other), []);
  });

  it('takes nothing back that a replica knows better', async () => {
    const [one, other] = [replicaIn('a'), replicaIn('a')];
    const text = await headerOf(one, () => one.memory.questions.touch('q', 'pending'));
    other.memory.questions.touch('q', 'settled');
    other.header.takeIn(text);
    assert.deepEqual(questionsOf(other), [['q', 'settled']]);
  });

  it('counts in its own space only, and under a secret of the service', async () => {
    const text = await settling(replicaIn('a'));
    const rotated = replicaIn('a', ['a newer secret', ...SECRETS]);
    for (const stranger of [replicaIn('b'), replicaIn('a', ['another secret'])]) {
      stranger.header.takeIn(text);
      assert.deepEqual(questionsOf(stranger), []);
    }
    rotated.header.takeIn(text);
    assert.deepEqual(questionsOf(rotated), [['q', 'settled']]);
  });

  it('counts for two minutes', async () => {
    const clock = new ManualClock();
    const text = await settling(replicaIn('a', SECRETS, clock));
    await clock.advance(120_001);
    const late = replicaIn('a', SECRETS, clock);
    late.header.takeIn(text);
    assert.deepEqual(questionsOf(late), []);
  });

  it('names forty writes, which fit into a header, and waits for those beyond', async () => {
    const one = replicaIn('a');
    const text = await headerOf(one, () => {
      for (let nth = 0; nth < 100; nth += 1) one.memory.questions.touch(`${nth}`, 'settled');
    });
    assert.equal(one.waits(), 1);
    const other = replicaIn('a');
    other.header.takeIn(text);
    const ids = questionsOf(other).map(([id]) => id);
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [40, '60', '99']);
  });
});
