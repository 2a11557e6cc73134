import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  escaped,
  instantInWords,
  oneLine,
  timeUntil,
} from '../../../../activities/channels/email/words.js';

describe('words of mails', () => {
  it('escape what HTML would take for its own', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.doesNotMatch(escaped(text), /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
    assert.equal(escaped(`<a href="x">'&`), '&lt;a href=&quot;x&quot;&gt;&#39;&amp;');
  });

  it('put any text on one line of at most so many characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLine(text, 10);
        assert.doesNotMatch(line, /[\p{Cc}\u2028\u2029\p{Bidi_Control}\u200b\u{e0000}-\u{e007f}]/u);
        assert.ok(Array.from(line).length <= 10);
      }),
    );
    assert.equal(oneLine('a\r\n\tb  c', 9), 'a b c');
    assert.equal(oneLine('abcdef', 4), 'abc…');
    assert.equal(oneLine('pay\u200bpal\u{e0041}', 99), 'pay[U+200B]pal[U+E0041]');
  });

  it('tell an instant in UTC, and how far off it is', () => {
    assert.equal(instantInWords('2026-01-04T09:05:59.000Z'), 'Sunday, 4 January 2026, 09:05 UTC');
    const now = new Date('2026-01-04T09:00:00.000Z');
    const until = (iso: string) => timeUntil(iso, now);
    assert.equal(until('2026-01-04T09:00:59.000Z'), 'in less than a minute');
    assert.equal(until('2026-01-04T08:00:00.000Z'), 'in less than a minute');
    assert.equal(until('2026-01-04T09:01:00.000Z'), 'in 1 minute');
    assert.equal(until('2026-01-04T10:59:00.000Z'), 'in 119 minutes');
    assert.equal(until('2026-01-04T11:00:00.000Z'), 'in 2 hours');
    assert.equal(until('2026-01-06T08:59:00.000Z'), 'in 47 hours');
    assert.equal(until('2026-01-06T09:00:00.000Z'), 'in 2 days');
  });
});
