import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import type { Response } from 'express';
import { SseTaker, eventFrames } from '../../../api/feed/stream.js';
import { eventOf } from '../../support/events.js';
import { INTENT_ID } from '../support/records.js';
import { caller } from '../../support/callers.js';

const FRAMES = eventFrames(caller('alice', 'operator'), undefined);
const GOING = new AbortController().signal;

/** A reader that takes frames only when the test lets it. */
function reader() {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const sink = new Writable({
    decodeStrings: false,
    highWaterMark: 10,
    write(chunk: string, _encoding, done) {
      taken.push(chunk);
      waiting.push(done);
    },
  });
  const take = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  };
  return { sink, taken, take, taker: new SseTaker(sink as unknown as Response, FRAMES, GOING, 0) };
}

const entry = (position: number, text: string) => ({
  position,
  space: 'default',
  created_by: null,
  owner: null,
  guarded: null,
  event: eventOf(INTENT_ID, position, { payload: { text } }),
});

describe('a reader of a stream', () => {
  it('gets heartbeats, with its position if that is known', () => {
    const { taker, taken, take } = reader();
    taker.beat(undefined);
    take();
    taker.beat(7);
    take();
    assert.deepEqual(taken, [': alive\n\n', ': alive\nid: 7\n\n']);
  });

  it('is cut off when it took nothing from one sign of life to the next', () => {
    const { taker, sink, take } = reader();
    taker.deliver([entry(1, 'first')]);
    taker.beat(1);
    assert.equal(sink.destroyed, false);
    take();
    taker.beat(1);
    taker.beat(1);
    assert.equal(sink.destroyed, false);
    taker.beat(1);
    assert.equal(sink.destroyed, true);
  });

  it('is cut off when more is unread than may wait', () => {
    const { taker, sink } = reader();
    taker.deliver([entry(1, 'x'.repeat(1_100_000))]);
    assert.equal(sink.destroyed, false);
    taker.deliver([entry(2, 'y')]);
    assert.equal(sink.destroyed, true);
  });

  it('is cut off within a burst, before all of it waits', () => {
    const { taker, sink } = reader();
    const burst = Array.from({ length: 50 }, (_, index) => entry(index + 1, 'é'.repeat(50_000)));
    taker.deliver(burst);
    assert.equal(sink.destroyed, true);
    assert.ok(sink.writableLength < 1_100_000, `${sink.writableLength} bytes wait`);
  });

  it('gets a burst that may wait, and the next once it has taken that', () => {
    const { taker, sink, taken, take } = reader();
    for (const round of [0, 1, 2]) {
      const burst = Array.from({ length: 5 }, (_, index) =>
        entry(round * 5 + index + 1, 'x'.repeat(100_000)),
      );
      taker.deliver(burst);
      for (let frame = 0; frame < 5; frame += 1) take();
      assert.equal(sink.destroyed, false, `round ${round}`);
    }
    assert.equal(taken.length, 15);
  });

  it('gets what is past no faster than it takes it', async () => {
    const { taker, taken, take } = reader();
    const given = taker.take([entry(1, 'first'), entry(2, 'second')]);
    await new Promise(setImmediate);
    assert.equal(taken.length, 1);
    take();
    await new Promise(setImmediate);
    assert.equal(taken.length, 2);
    take();
    await given;
  });
});
