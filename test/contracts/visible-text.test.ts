import assert from 'node:assert/strict';
import {
  isBlank,
  visible,
  visibleJson,
  visibleLine,
} from '../../contracts/constants/visible-text.js';

/** What steers, and what is not seen. */
const ALL =
  /[\p{Cc}\u2028\u2029\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

describe('characters that steer how a text is shown', () => {
  const every = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));

  it('are controls, line ends, direction marks and what nobody sees, as Unicode lists them', () => {
    const isMarked = (one: string): boolean => ALL.test(one) && !/[\n\t\ufe00-\ufe0f]/.test(one);
    // A hundred of which nothing is marked, and nothing has to be, need no look at each.
    const hundreds = Array.from({ length: every.length / 100 + 1 }, (_, nth) =>
      every.slice(nth * 100, nth * 100 + 100),
    );
    const rest = hundreds
      .filter((some) => ALL.test(some.join(' ')) || visible(some.join(' ')) !== some.join(' '))
      .flat();
    assert.deepEqual(
      rest.filter((one) => visible(one) !== one),
      rest.filter(isMarked),
    );
    assert.ok(rest.length > 4_000, `${rest.length}`);
  });

  it('stand there by their codes, in a text of lines and in one line', () => {
    const hidden = 'a\u200bb\u00adc\ufeffd\u3164e\u{e0041}\n\tf\u202eg\u2800h\ufff9\r\ni\0';
    const marked = 'a[U+200B]b[U+00AD]c[U+FEFF]d[U+3164]e[U+E0041]';
    const after = 'f[U+202E]g[U+2800]h[U+FFF9]';
    assert.equal(visible(hidden), `${marked}\n\t${after}\ni[U+0000]`);
    assert.equal(visibleLine(hidden), `${marked}  ${after} i[U+0000]`);
  });

  it('are all marked at once, whichever stand together', () => {
    // The ends of each range stand for what is between them.
    const ends = every.filter((one, index) => {
      const around = [every[index - 1] ?? '', every[index + 1] ?? ''];
      return ALL.test(one) && !around.every((other) => ALL.test(other));
    });
    const unseen = [...ends, '\r', '\n', '\t', '\u200c', '\u200d'];
    const isLeft = (text: string): boolean => {
      const shown = visibleJson(JSON.stringify(text));
      const isMarked = [visible(text), visibleLine(text), shown].every(
        (one) => visible(one) === one,
      );
      return !isMarked || JSON.parse(shown) !== text;
    };
    const left = unseen.flatMap((first) =>
      unseen.flatMap((second) =>
        ['', 'x', "'", '\u2764']
          .map((before) => `${before}${first}${second}y`)
          .filter(isLeft)
          .map((text) => JSON.stringify(text)),
      ),
    );
    assert.deepEqual(left, []);
  });

  it('leave JSON the value that it was', () => {
    const value = { 'na\u202eme': ['\u{e0041}', 'pay\u200dpal', '\n'] };
    const shown = visibleJson(JSON.stringify(value));
    assert.deepEqual(JSON.parse(shown), value);
    assert.equal(visible(shown), shown);
  });

  it('are joiners and forms that do nothing but hide', () => {
    for (const text of [
      'pay\u200dpal',
      'pay\u200cpal',
      '\u200dpay',
      '1\u200d0',
      'pay\ufe0fpal',
      'x$\u200dy',
    ]) {
      assert.match(visible(text), /\[U\+(?:200[CD]|FE0F)\]/);
    }
  });

  it('are no joiners that emoji and scripts need', () => {
    for (const text of [
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u2764\ufe0f\u200d\u{1f525}',
      '1\ufe0f\u20e3 \u2194\ufe0f \u{1f44d}\u{1f3fd}\u200d',
      'می\u200cخواهم',
      'क्\u200dष',
      '\u2801\u2800\u2803',
    ]) {
      assert.equal(visible(text), text);
    }
  });
});

describe('a blank text', () => {
  it('is white space, and what nobody sees', () => {
    for (const text of [
      '',
      ' \n\t\r ',
      '\u00a0\u2003\u3000\u1680',
      '\u200b\u200d\ufeff\u2060',
      '\u3164\uffa0\u115f',
      '\u2800\u2800',
      '\u202e\u2069\0\u0085\u2028',
      '\u{e0041}\ufe0f\u00ad',
      '\ufff9\u{1d159}',
    ]) {
      assert.equal(isBlank(text), true, JSON.stringify(text));
    }
  });

  it('is none that shows a single mark', () => {
    for (const text of [
      '.',
      ' 0 ',
      '\u200b-\u200b',
      'é',
      '\u0301',
      '\u2801\u2800',
      '\ud800',
      '👍\ufe0f',
    ]) {
      assert.equal(isBlank(text), false, JSON.stringify(text));
    }
  });

  it('is read once, however long it is', () => {
    assert.equal(isBlank(`${' '.repeat(1_000_000)}x`), false);
  });
});
