import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { jsonIn, numberIn } from '../../../web/src/form/read.js';

describe('what is typed into a form', () => {
  it('is the number that was typed', () => {
    for (const [typed, value] of [
      ['1.50', 1.5],
      [' 0.30000000000000004 ', 0.30000000000000004],
      ['9007199254740992', 9007199254740992],
      ['1E+2', 100],
      ['-0', -0],
    ] as const) {
      assert.deepEqual(numberIn(typed), { value }, typed);
    }
  });

  it('is no number where it would become another one', () => {
    for (const typed of ['9007199254740993', '1e-400', '1e400', '1234567890.123456789']) {
      assert.match(numberIn(typed).fault ?? '', /another number: send it as text/, typed);
    }
  });

  it('is the JSON that was typed, or says which part would be lost', () => {
    assert.deepEqual(jsonIn('{"n":[1.50]}'), { value: { n: [1.5] } });
    assert.match(jsonIn('{"n":[9007199254740993]}').fault ?? '', /^n\[0\] .*send it as text/);
    assert.match(jsonIn('{"n":1,"\\u006e":2}').fault ?? '', /^n stands twice/);
    assert.match(jsonIn('{"n":').fault ?? '', /not JSON yet/);
  });
});
