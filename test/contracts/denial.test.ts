import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isDenial } from '../../contracts/constants/denial.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { VIEW } from '../api/support/records.js';

type Fields = Partial<SuspensionView['record']>;

const CHOICES = ['ship', 'hold', 'cancel'].map((value) => ({ value, label: value }));
const CHOICE: Fields = { response_type: 'choice', choices: CHOICES };

function deniedBy(value: unknown, record: Fields, inRule: readonly string[] = []) {
  const { choices: _choices, ...plain } = VIEW.record;
  const rule = { ...VIEW.rule, denials: [...inRule] };
  return isDenial({ record: { ...plain, ...record }, rule }, value);
}

describe('whether an answer denies', () => {
  it('is true for what the asker declared, and false for the other choices', () => {
    const record = { ...CHOICE, denials: ['hold'] };
    const said = ['hold', 'ship', 'cancel'].map((value) => deniedBy(value, record));
    assert.deepEqual(said, [true, false, false]);
  });

  it('goes by the denials of the rule too', () => {
    assert.equal(deniedBy('hold', CHOICE, ['hold']), true);
    assert.equal(deniedBy('ship', CHOICE, ['hold']), false);
  });

  for (const word of [
    'no',
    'reject',
    'rejected',
    'deny',
    'denied',
    'decline',
    'declined',
    'cancel',
    'cancelled',
    'canceled',
    'abort',
    'aborted',
    'No',
    'REJECTED',
    ' no\n',
    'ｎｏ',
  ]) {
    it(`is true for the usual word ${JSON.stringify(word)} where nothing is declared`, () => {
      for (const response_type of ['choice', 'text', 'form'] as const) {
        assert.equal(deniedBy(word, { response_type }), true);
      }
    });
  }

  for (const value of ['ship', 'yes', 'approve', 'no way', 'nope', 'not now', 'not', '', 7, null]) {
    it(`is null for ${JSON.stringify(value)} where nothing is declared`, () => {
      for (const response_type of ['choice', 'text', 'form'] as const) {
        assert.equal(deniedBy(value, { response_type }), null);
      }
    });
  }

  it('follows from the type of a yes or no', () => {
    const confirm: Fields = { response_type: 'confirm' };
    assert.deepEqual([deniedBy('yes', confirm), deniedBy('no', confirm)], [false, true]);
    const turned = { ...confirm, denials: ['yes'] };
    assert.deepEqual([deniedBy('yes', turned), deniedBy('no', turned)], [true, false]);
  });

  it('is null for a value that nobody could choose, unless it is a usual no', () => {
    const record = { ...CHOICE, denials: ['hold'] };
    assert.deepEqual([deniedBy('mars', record), deniedBy('denied', record)], [null, true]);
    assert.equal(deniedBy('maybe', { response_type: 'confirm' }), null);
    assert.equal(deniedBy({ go: true }, record), null);
  });

  it('is false for every answer where the asker said that none denies', () => {
    for (const response_type of ['choice', 'confirm', 'text', 'form'] as const) {
      for (const value of ['no', 'ship', 7, null]) {
        assert.equal(deniedBy(value, { response_type, denials: [] }), false);
      }
    }
  });
});
