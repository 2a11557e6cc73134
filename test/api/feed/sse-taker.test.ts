import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import type { Response } from 'express';
import { eventFrames } from '../../../api/feed/frames.js';
import { SseTaker } from '../../../api/feed/stream.js';
import { eventOf } from '../../support/events.js';
import { INTENT_ID } from '../support/records.js';

const FRAMES = eventFrames({ principal: 'alice', roles: new Set(['operator'] as const) });
const GOING = new AbortController().signal;

/** A reader that takes what it is given only when it is told to. */
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
  return { sink, taken, take, taker: new SseTaker(sink as unknown as Response, FRAMES, GOING) };
}

const entry = (position: number, text: string) => ({
  position,
  created_by: null,
  owner: null,
  event: eventOf(INTENT_ID, position, { payload: { text } }),
});

describe('a reader of a stream', () => {
  it('gets signs of life, with how far it has come where that is known', () => {
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
