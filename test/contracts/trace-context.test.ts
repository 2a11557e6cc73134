import assert from 'node:assert/strict';
import { traceContextOf, traceparentOf } from '../../contracts/constants/headers.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it('is read and written', () => {
    for (const [flags, sampled] of [
      ['01', true],
      ['00', false],
    ] as const) {
      const text = `00-${TRACE}-${SPAN}-${flags}`;
      const context = traceContextOf(text) ?? assert.fail();
      assert.deepEqual(context, { traceId: TRACE, spanId: SPAN, sampled });
      assert.equal(traceparentOf(context), text);
    }
  });

  it('of a later version is read as far as it is known', () => {
    const context = { traceId: TRACE, spanId: SPAN, sampled: true };
    assert.deepEqual(traceContextOf(`01-${TRACE}-${SPAN}-03-more`), context);
  });

  for (const text of [
    undefined,
    42,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `x00-${TRACE}-${SPAN}-01`,
  ]) {
    it(`is none in ${typeof text === 'undefined' ? 'nothing' : JSON.stringify(text)}`, () => {
      assert.equal(traceContextOf(text), undefined);
    });
  }
});
