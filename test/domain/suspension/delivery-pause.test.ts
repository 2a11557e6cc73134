import assert from 'node:assert/strict';
import { longestPauseMs } from '../../../domain/suspension/telling/notifications.js';

describe('longest pause between two tries', () => {
  for (const [window, windowMs, pauseMs] of [
    ['a second', 1_000, 5_000],
    ['a minute', 60_000, 6_000],
    ['an hour', 3_600_000, 360_000],
    ['a week', 604_800_000, 600_000],
    ['no end', undefined, 3_600_000],
  ] as const) {
    it(`is ${pauseMs / 1_000} s in a window of ${window}`, () => {
      assert.equal(longestPauseMs(windowMs), pauseMs);
    });
  }
});
