import assert from 'node:assert/strict';
import {
  STEERING,
  STEERING_IN_LINES,
  UNSEEN_IN_LINES,
} from '../../contracts/constants/steering.js';

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

  it('are found with those that nobody sees', () => {
    const unseen = ['\u200b', '\u00ad', '\u2060', '\ufeff', '\u3164', '\u{e0041}', '\u202e'];
    for (const one of unseen) {
      assert.equal(`a${one}b`.replaceAll(UNSEEN_IN_LINES, '?'), 'a?b', JSON.stringify(one));
    }
    for (const hidden of [
      'pay\u200dpal',
      'pay\u200cpal',
      '\u200dpay',
      '1\u200d0',
      'pay\ufe0fpal',
      'x$\u200dy',
    ]) {
      assert.match(hidden.replaceAll(UNSEEN_IN_LINES, '?'), /\?/);
    }
  });

  it('are no joiners that emoji and scripts need', () => {
    for (const text of [
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u2764\ufe0f\u200d\u{1f525}',
      '1\ufe0f\u20e3 \u2194\ufe0f \u{1f44d}\u{1f3fd}\u200d',
      'می\u200cخواهم',
      'क्\u200dष',
    ]) {
      assert.equal(text.replaceAll(UNSEEN_IN_LINES, '?'), text);
    }
  });
});
