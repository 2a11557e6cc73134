import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  beginningOf,
  defaultText,
  headingOf,
  moreOf,
  silenceText,
} from '../../web/src/state/facts.js';
import { edited, visible } from '../../web/src/state/list/visible.js';

type Asked = Parameters<typeof silenceText>[0];

function afterSilence(record: object, intent_id: string | null = 'intent'): string {
  const rest = { response_type: 'confirm', fallback_policy: 'fail', ...record };
  return silenceText({ record: rest, intent_id } as unknown as Asked);
}

describe('the words of the inbox', () => {
  it('say of an approval what its timeout does', () => {
    const approval = {};
    const outcomeOf = (timeout_outcome: string) =>
      afterSilence({ approval, context: { timeout_outcome } });
    assert.equal(outcomeOf('deny'), 'it is denied');
    assert.equal(outcomeOf('allow'), 'it is allowed');
    assert.equal(outcomeOf('next_tier'), 'it passes to the next people who decide');
  });

  it('say what follows for an intent, with the value that counts', () => {
    assert.equal(afterSilence({}), 'the work is given up');
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'no' };
    assert.equal(afterSilence(fallback), 'the default counts: No');
  });

  it('say in a row how a question goes on after its first line', () => {
    const more = (to: string) => moreOf(`Mail the offer?\n\nTo: ${to}\nBy: mail`);
    assert.equal(more('every client'), 'To: every client By: mail');
    assert.notEqual(more('two testers'), more('every client'));
    assert.equal(moreOf('Mail the offer?\n'), '');
    const long = `${'word '.repeat(17)}\u{1f600}\u{1f600}\u{1f600} goes on ${'x'.repeat(300)}`;
    const [heading, rest] = [headingOf(long, 90), moreOf(long)];
    assert.ok(heading.endsWith('\u{1f600}\u{1f600}…') && rest.startsWith('\u{1f600} goes on x'));
    assert.deepEqual([rest.length, rest.at(-1)], [200, '…']);
    assert.equal(beginningOf('Mail it?\nTo: ada'), 'Mail it?\nTo: ada');
    assert.equal(beginningOf('Mail it?'), 'Mail it?');
  });

  it('stay what they are, and what is typed is what it says', () => {
    for (const text of [
      'pay\u200dpal',
      'pay\ufe0fpal',
      'a\u034f\u200d\ufe0f\u{e0041}b',
      '[U+0041]',
      'a\r\nb\rc',
      '\ud83d\ude00 [U+200B]',
    ]) {
      const shown = visible(text);
      assert.equal(edited(text, shown), text);
      assert.equal(edited(text, `${shown}!`), `${text}!`);
      assert.equal(edited(text, `!${shown}`, 1), `!${text}`);
      assert.equal(edited(text, `${shown}[U+200B]`), `${text}[U+200B]`);
      assert.equal(edited(text, `[U+200B]${shown}`, 8), `[U+200B]${text}`);
    }
  });

  it('become a code where somebody types one', () => {
    let text = '';
    for (const key of '[U+202E]') text = edited(text, `${visible(text)}${key}`);
    assert.equal(text, '[U+202E]');
    // Of a code that stands for a character, what is left of it is only text.
    assert.equal(edited('a\u202eb', 'a[U+202Eb', 8), 'a[U+202Eb');
    // Where two look the same, the cursor says which one is gone.
    assert.equal(edited('\u202e[U+202E]', '[U+202E]', 0), '[U+202E]');
    assert.equal(edited('\u202e[U+202E]', '[U+202E]', 8), '\u202e');
    assert.equal(edited('ab', 'axb', 2), 'axb');
    assert.equal(edited('aa', 'a', 0), 'a');
    assert.equal(edited('a\u202eb', ''), '');
  });

  it('say that a default counts only where no deadline passed over it [R26-28]', () => {
    const expired = {
      resolution: 'expired',
      fallback_policy: 'complete_with_fallback',
      fallback_value: 'no',
    };
    const counting = (record: object) => defaultText({ record } as unknown as Asked);
    assert.equal(counting(expired), '"no"');
    assert.equal(counting({ ...expired, reason: 'portfolio_deadline' }), undefined);
    assert.equal(counting({ ...expired, fallback_policy: 'fail' }), undefined);
  });

  it('say that a question without an intent ends alone', () => {
    assert.equal(afterSilence({}, null), 'it ends without an answer');
  });
});
