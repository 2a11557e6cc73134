import assert from 'node:assert/strict';
import { Admission, type Place } from '../../../../api/parts/calls/admission.js';
import { inRequest } from '../../../../api/parts/calls/request.js';
import { RefusalError } from '../../../../api/errors.js';
import { WRITE_LIMITS } from '../../../../contracts/server/config.js';
import { idle, ManualClock } from '../../support/fakes.js';

const SECOND = 1_000;

type Limits = Partial<Record<keyof typeof WRITE_LIMITS, number>>;

/** What a write is, and how it ends. */
interface Kind {
  readonly isAnswer?: boolean;
  readonly end?: 'carriedOut' | 'unanswered';
  readonly holdFor?: Promise<unknown>;
}

/** Writes that begin in their turn and end by hand. */
class Bench {
  readonly clock = new ManualClock();
  readonly closing = new AbortController();
  /** The names of the writes that were let in, in that order. */
  readonly begun: string[] = [];
  private readonly endings = new Map<string, () => void>();
  private readonly admission: Admission;

  constructor(limits: Limits = {}) {
    const all = { ...WRITE_LIMITS, ...limits };
    this.admission = new Admission(this.clock, all, this.closing.signal);
  }

  get counts() {
    return this.admission.counts;
  }

  /** What becomes of a write: `done`, or the seconds after which it may come again. */
  async write(
    name: string,
    workflowId?: string,
    { isAnswer = false, end, holdFor }: Kind = {},
  ): Promise<'done' | number> {
    const write = async (place: Place): Promise<'done'> => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.endings.set(name, resolve));
      if (end) place[end]();
      if (holdFor) place.holdFor(holdFor);
      return 'done';
    };
    try {
      return await this.admission.run(workflowId, write, isAnswer);
    } catch (error) {
      assert.ok(error instanceof RefusalError);
      assert.equal(error.refusal.code, 'busy');
      return error.retryAfterSeconds ?? NaN;
    }
  }

  /** Begins a write for each name, and lets it come as far as it may. */
  async writes(...names: string[]): Promise<readonly Promise<'done' | number>[]> {
    const writes: Promise<'done' | number>[] = [];
    for (const name of names) {
      writes.push(this.write(name));
      await idle();
    }
    return writes;
  }

  /** The same, where it does not matter what becomes of them. */
  async begin(...names: string[]): Promise<void> {
    const writes = await this.writes(...names);
    assert.equal(writes.length, names.length);
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      const ending = this.endings.get(name);
      assert.ok(ending, `${name} is under way`);
      ending();
      await idle();
    }
  }

  /** Has one write take so long, as if writes took so long lately. */
  async taking(ms: number): Promise<void> {
    await this.begin('usual');
    await this.clock.advance(ms);
    await this.end('usual');
    this.begun.length = 0;
  }
}

describe('the admission of writes', () => {
  it('lets as many in at once as its limit, and each next one as a place becomes free', async () => {
    const bench = new Bench({ at_once: 2 });
    await bench.begin('a', 'b', 'c', 'd');
    assert.deepEqual(bench.begun, ['a', 'b']);
    await bench.end('b');
    assert.deepEqual(bench.begun, ['a', 'b', 'c']);
  });

  it('lets 32 in at once unless it is told otherwise', async () => {
    const bench = new Bench();
    await bench.begin(...Array.from({ length: 40 }, (_each, nth) => `w${nth}`));
    assert.equal(bench.begun.length, 32);
  });

  it('keeps the order in which writes came', async () => {
    const bench = new Bench({ at_once: 1 });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const writes = await bench.writes(...names);
    await bench.end(...names);
    assert.deepEqual(bench.begun, names);
    assert.deepEqual(
      await Promise.all(writes),
      names.map(() => 'done'),
    );
  });

  it('frees the place of a write that fails', async () => {
    const admission = new Admission(new ManualClock(), { ...WRITE_LIMITS, at_once: 1 });
    const failing = admission.run(undefined, () => Promise.reject(new Error('broken')));
    await assert.rejects(failing, /broken/);
    assert.equal(await admission.run(undefined, async () => 'next'), 'next');
  });

  it('lets four in at one workflow, and holds up no other workflow behind them', async () => {
    const bench = new Bench({ at_once: 6 });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void bench.write(name, 'intent-1');
    void bench.write('other', 'intent-2');
    await idle();
    assert.deepEqual(bench.begun, ['a', 'b', 'c', 'd', 'other']);
    await bench.end('c');
    assert.deepEqual(bench.begun, ['a', 'b', 'c', 'd', 'other', 'e']);
  });
});

describe('a place that becomes free', () => {
  it('goes to the first that waits and whose workflow takes one more', async () => {
    const bench = new Bench({ at_once: 5 });
    for (const name of ['a', 'b', 'c', 'd']) void bench.write(name, 'intent-1');
    void bench.write('other', 'intent-2');
    void bench.write('e', 'intent-1');
    void bench.write('another', 'intent-2');
    await idle();
    await bench.end('other');
    assert.deepEqual(bench.begun, ['a', 'b', 'c', 'd', 'other', 'another']);
  });
});

describe('a write that waits for its turn', () => {
  it('is refused when it has waited the longest time, and not before', async () => {
    const bench = new Bench({ at_once: 1 });
    const [, waiting] = await bench.writes('first', 'second');
    let refused: unknown;
    void waiting?.then((seconds) => (refused = seconds));
    await bench.clock.advance(24_999);
    assert.equal(refused, undefined);
    await bench.clock.advance(1);
    await idle();
    assert.equal(refused, 1);
    await bench.end('first');
    assert.deepEqual(bench.begun, ['first']);
  });

  it('is not refused once it is under way, however long that takes', async () => {
    const bench = new Bench({ at_once: 1 });
    const [, second] = await bench.writes('first', 'second');
    await bench.clock.advance(24 * SECOND);
    await bench.end('first');
    await bench.clock.advance(60 * SECOND);
    await bench.end('second');
    assert.equal(await second, 'done');
  });

  it('is refused on arrival if those before it take longer than the longest time', async () => {
    const bench = new Bench({ at_once: 2, longest_wait_seconds: 10 });
    await bench.taking(8 * SECOND);
    // Two are under way, and each of those that wait takes half of 8 s.
    const [, , third, fourth, fifth] = await bench.writes('a', 'b', 'c', 'd', 'e');
    assert.equal(await fifth, 2);
    await bench.end('a', 'b', 'c', 'd');
    assert.deepEqual(await Promise.all([third, fourth]), ['done', 'done']);
  });

  it('is let in again as soon as writes take less time', async () => {
    const bench = new Bench({ at_once: 1, longest_wait_seconds: 1 });
    await bench.taking(10 * SECOND);
    const [, refused] = await bench.writes('a', 'b');
    assert.equal(await refused, 9);
    await bench.end('a');
    for (let nth = 0; nth < 100; nth += 1) {
      await bench.begin(`quick ${nth}`);
      await bench.end(`quick ${nth}`);
    }
    const [, waiting] = await bench.writes('c', 'd');
    await bench.end('c', 'd');
    assert.equal(await waiting, 'done');
  });

  it('is refused on arrival if its own workflow is too far behind', async () => {
    const bench = new Bench({ at_once: 100, longest_wait_seconds: 10 });
    await bench.taking(16 * SECOND);
    const same = Array.from({ length: 7 }, (_each, nth) => bench.write(`${nth}`, 'intent-1'));
    await idle();
    assert.equal(await same.at(-1), 2);
    assert.equal(bench.begun.length, 4);
  });

  it('is refused on arrival if as many wait as may', async () => {
    const bench = new Bench({ at_once: 1, waiting: 1 });
    const [, , third] = await bench.writes('a', 'b', 'c');
    assert.equal(await third, 1);
  });

  it('is never sent away for more than a minute', async () => {
    const bench = new Bench({ at_once: 1, longest_wait_seconds: 1 });
    await bench.taking(600 * SECOND);
    const [, refused] = await bench.writes('a', 'b');
    assert.equal(await refused, 60);
  });

  it('waits for two more seconds once the server closes', async () => {
    const bench = new Bench({ at_once: 1 });
    const [, second, third] = await bench.writes('a', 'b', 'c');
    bench.closing.abort();
    await bench.clock.advance(1_999);
    await bench.end('a');
    await bench.clock.advance(1);
    assert.equal(await third, 1);
    await bench.end('b');
    assert.equal(await second, 'done');
    const [, late] = await bench.writes('d', 'e');
    await bench.clock.advance(2 * SECOND);
    assert.equal(await late, 1);
  });
});

describe('the writes of one request', () => {
  it('leave the queue when its client does', async () => {
    const bench = new Bench({ at_once: 1 });
    const left = new AbortController();
    await bench.begin('a');
    const gone = inRequest(left.signal, () => bench.write('b'));
    await bench.begin('c');
    left.abort();
    assert.equal(await gone, 1);
    await bench.end('a');
    assert.deepEqual(bench.begun, ['a', 'c']);
  });

  it('do not wait if its client has left already', async () => {
    const bench = new Bench({ at_once: 1 });
    await bench.begin('a');
    assert.equal(await inRequest(AbortSignal.abort(), () => bench.write('b')), 1);
  });

  it('do not wait for each other for ever', async () => {
    const bench = new Bench({ at_once: 1 });
    const { signal } = new AbortController();
    const both = inRequest(signal, () => Promise.all([bench.write('a'), bench.write('b')]));
    await idle();
    await bench.end('a', 'b');
    assert.deepEqual(await both, ['done', 'done']);
  });

  it('go before those of other requests once the first was let in, and are not refused', async () => {
    const bench = new Bench({ at_once: 1, waiting: 2 });
    const left = new AbortController();
    const both = inRequest(left.signal, async () => [
      await bench.write('first'),
      await bench.write('second'),
    ]);
    await bench.begin('other', 'another');
    left.abort();
    await bench.end('first');
    // A place was free for a moment, and the one that waited took it.
    await bench.end('other');
    assert.deepEqual(bench.begun, ['first', 'other', 'second']);
    await bench.clock.advance(60 * SECOND);
    await bench.end('second');
    assert.deepEqual(await both, ['done', 'done']);
  });
});

describe('the places of writes', () => {
  it('become fewer where a write is not carried out in its time, and others are', async () => {
    const bench = new Bench({ at_once: 8 });
    const lost = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of lost) void bench.write(name, undefined, { end: 'unanswered' });
    void bench.write('h', undefined, { end: 'carriedOut' });
    await idle();
    await bench.end('h', ...lost);
    assert.equal(bench.counts.places, 5);
  });

  it('are all there while no worker is, so that many can wait for one', async () => {
    const bench = new Bench({ at_once: 5 });
    const late = ['a', 'b', 'c', 'd'];
    void bench.write('quick', undefined, { end: 'carriedOut' });
    for (const name of late) void bench.write(name, undefined, { end: 'carriedOut' });
    await idle();
    await bench.end('quick');
    await bench.clock.advance(1_001);
    await bench.end(...late);
    assert.equal(bench.counts.places, 4);
    void bench.write('lost', undefined, { end: 'unanswered' });
    await idle();
    await bench.end('lost');
    assert.equal(bench.counts.places, 5);
  });

  it('are taken until what a write has led to is done, for which the write itself does not wait', async () => {
    const bench = new Bench({ at_once: 1 });
    let taken: () => void = () => undefined;
    const holdFor = new Promise<void>((resolve) => (taken = resolve));
    const answer = bench.write('answer', undefined, { end: 'carriedOut', holdFor });
    await bench.begin('next');
    await bench.end('answer');
    assert.equal(await answer, 'done');
    assert.deepEqual([bench.begun, bench.counts.underWay], [['answer'], 1]);
    taken();
    await idle();
    assert.deepEqual(bench.begun, ['answer', 'next']);
  });

  it('are free again if what a write has led to fails', async () => {
    const bench = new Bench({ at_once: 1 });
    const holdFor = Promise.reject(new Error('nobody knows'));
    holdFor.catch(() => undefined);
    void bench.write('answer', undefined, { holdFor });
    await bench.begin('next');
    await bench.end('answer');
    assert.deepEqual(bench.begun, ['answer', 'next']);
  });
});

describe('the answer of a person', () => {
  const ANSWER = { isAnswer: true } as const;

  it('waits behind no agent, however many there are', async () => {
    const bench = new Bench({ at_once: 4 });
    const agents = Array.from({ length: 64 }, (_each, nth) => `agent ${nth}`);
    await bench.begin(...agents);
    void bench.write('answer', undefined, ANSWER);
    await idle();
    assert.deepEqual(bench.begun, [...agents.slice(0, 4), 'answer']);
  });

  it('goes before the agents that wait, where other answers take its places', async () => {
    const bench = new Bench({ at_once: 1 });
    await bench.begin('agent', 'another');
    for (const name of ['first', 'second']) void bench.write(name, undefined, ANSWER);
    await idle();
    assert.deepEqual(bench.begun, ['agent', 'first']);
    await bench.end('agent');
    assert.deepEqual(bench.begun, ['agent', 'first', 'second']);
    await bench.end('first', 'second');
    assert.equal(bench.begun.at(-1), 'another');
  });

  it('has the last agent that waits refused where as many wait as may, and is refused last', async () => {
    const bench = new Bench({ at_once: 1, waiting: 2 });
    const [, waiting, last] = await bench.writes('agent', 'waiting', 'last');
    const answers = ['a', 'b', 'c', 'd'].map((name) => bench.write(name, undefined, ANSWER));
    await idle();
    assert.deepEqual([await last, await waiting, await answers[3]], [1, 1, 1]);
    await bench.end('agent', 'a', 'b', 'c');
    assert.deepEqual(await Promise.all(answers.slice(0, 3)), ['done', 'done', 'done']);
  });

  it('does not count the agents before it where the queue is too long for them', async () => {
    const bench = new Bench({ at_once: 1, longest_wait_seconds: 10 });
    await bench.taking(8 * SECOND);
    const [, , refused] = await bench.writes('agent', 'waiting', 'refused');
    assert.equal(await refused, 6);
    for (const name of ['first', 'second']) void bench.write(name, undefined, ANSWER);
    await idle();
    assert.deepEqual(bench.begun, ['agent', 'first']);
    await bench.end('first', 'agent', 'second');
    assert.deepEqual(bench.begun, ['agent', 'first', 'second', 'waiting']);
  });
});
