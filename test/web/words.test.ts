import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultText, silenceText } from '../../web/src/state/facts.js';
import { meant, visible } from '../../web/src/state/visible.js';

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
    assert.equal(outcomeOf('next_tier'), 'it is passed on to the next who decide');
  });

  it('say what follows for an intent, with the value that counts', () => {
    assert.equal(afterSilence({}), 'the work is given up');
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'no' };
    assert.equal(afterSilence(fallback), 'the default counts: No');
  });

  it('are sent as they were meant, where codes stand for what is not seen', () => {
    for (const text of [
      'pay\u200dpal',
      'pay\ufe0fpal',
      'a\u034f\u200d\ufe0f\u{e0041}b',
      '[U+0041]',
    ]) {
      assert.equal(meant(visible(text)), text);
    }
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
