import assert from 'node:assert/strict';
import { STEERING, STEERING_IN_LINES } from '../../contracts/constants/steering.js';

/** The control characters, the line ends beside them, and what Unicode lists as `Bidi_Control`. */
const ALL = /\p{Cc}|[\u2028\u2029]|\p{Bidi_Control}/u;

describe('characters that steer how a text is shown', () => {
  const every = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));
  const matched = (pattern: RegExp) => every.filter((one) => one.match(pattern) !== null);

  it('are control characters, line ends and every direction mark of Unicode', () => {
    assert.deepEqual(
      matched(STEERING),
      every.filter((one) => ALL.test(one)),
    );
  });

  it('are not line breaks and tabs in a text of lines', () => {
    const steering = every.filter((one) => ALL.test(one) && one !== '\n' && one !== '\t');
    assert.deepEqual(matched(STEERING_IN_LINES), steering);
  });
});
