import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Places } from '../../../../api/parts/calls/admission.js';

const QUICK_MS = 50;
const LATE_MS = 500;

/** Places of which all are taken whenever a write is carried out. */
class Bench {
  readonly places: Places;

  constructor(most = 32) {
    this.places = new Places(most);
  }

  carriedOut(writes: number, ms: number, taken?: number): number {
    for (let nth = 0; nth < writes; nth += 1) {
      this.places.carriedOut(ms, taken ?? this.places.count);
    }
    return this.places.count;
  }
}

describe('the places for writes', () => {
  it('become fewer by half a place for each late write, down to four', () => {
    const bench = new Bench();
    bench.carriedOut(1, QUICK_MS);
    assert.deepEqual(
      [bench.carriedOut(2, LATE_MS), bench.carriedOut(32, LATE_MS), bench.carriedOut(99, LATE_MS)],
      [31, 15, 4],
    );
  });

  it('become more by one for each round of writes in time, up to the limit', () => {
    const bench = new Bench(8);
    bench.carriedOut(1, QUICK_MS);
    bench.carriedOut(99, LATE_MS);
    assert.deepEqual(
      [
        bench.carriedOut(4, QUICK_MS),
        bench.carriedOut(1, QUICK_MS),
        bench.carriedOut(99, QUICK_MS),
      ],
      [4, 5, 8],
    );
  });

  it('stay as many where one in twelve is late for a reason of its own', () => {
    const bench = new Bench(20);
    for (let round = 0; round < 100; round += 1) {
      bench.carriedOut(11, QUICK_MS);
      bench.carriedOut(1, 10_000);
    }
    assert.ok(bench.places.count >= 19);
  });

  it('stay as many where few are taken: what is late then waits for nothing here', () => {
    const bench = new Bench();
    bench.carriedOut(1, QUICK_MS, 1);
    assert.equal(bench.carriedOut(99, LATE_MS, 15), 32);
  });

  it('do not grow while some of them are free', () => {
    const bench = new Bench();
    bench.carriedOut(1, QUICK_MS);
    const fewer = bench.carriedOut(32, LATE_MS);
    assert.equal(bench.carriedOut(99, QUICK_MS, fewer - 1), fewer);
  });

  it('allow for a Temporal to which each write takes long, up to a second', () => {
    const bench = new Bench();
    bench.carriedOut(1, 300, 1);
    assert.equal(bench.carriedOut(99, 750), 32);
    assert.equal(bench.carriedOut(2, 751), 31);
    const far = new Bench();
    far.carriedOut(1, 800, 1);
    assert.deepEqual([far.carriedOut(99, 1_000), far.carriedOut(2, 1_001)], [32, 31]);
  });

  it('forget how quick a write was some hundreds of writes ago', () => {
    const bench = new Bench();
    bench.carriedOut(1, QUICK_MS);
    bench.carriedOut(200, 290);
    assert.ok(bench.carriedOut(20, LATE_MS) < 32);
    bench.carriedOut(400, 290);
    assert.equal(bench.carriedOut(20, LATE_MS), 32);
  });

  it('are as many as there may be while no worker is', () => {
    const bench = new Bench();
    bench.carriedOut(1, QUICK_MS);
    bench.carriedOut(99, LATE_MS);
    bench.places.deserted();
    assert.equal(bench.places.count, 32);
  });

  it('are a quarter more for answers, at least one', () => {
    assert.deepEqual(
      [1, 4, 8, 9].map((most) => new Places(most).forAnswers),
      [1, 1, 2, 3],
    );
  });

  it('are never more than the limit, however small that is', () => {
    const bench = new Bench(1);
    assert.equal(bench.carriedOut(99, QUICK_MS), 1);
    assert.equal(bench.carriedOut(99, 2_000), 1);
  });
});
