import assert from 'node:assert/strict';
import { asksOnceMore, isDangerous } from '../../../domain/suspension/form/once-more.js';

describe('what asks once more before it is sent', () => {
  const choices = [
    { value: 'keep', style: 'primary' },
    { value: 'delete', style: 'danger' },
    { value: 'later' },
  ] as const;

  it('is a choice that its asker calls dangerous, and no other', () => {
    const asked = choices.filter(({ value }) => asksOnceMore({ choices }, value));
    assert.deepEqual(
      asked.map(({ value }) => value),
      ['delete'],
    );
    assert.deepEqual([isDangerous(choices[1]), isDangerous(undefined)], [true, false]);
  });

  it('is no answer that is none of its choices', () => {
    assert.equal(asksOnceMore({}, 'delete'), false);
    assert.equal(asksOnceMore({ choices }, 'destroy'), false);
  });

  it('is each decision on an approval', () => {
    assert.equal(asksOnceMore({ approval: {}, choices }, 'keep'), true);
  });
});
