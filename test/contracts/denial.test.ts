import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isDenial } from '../../contracts/constants/denial.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { VIEW } from '../api/support/records.js';

type Fields = Partial<SuspensionView['record']>;

const CHOICES = ['ship', 'hold', 'cancel'].map((value) => ({ value, label: value }));
const CHOICE: Fields = { response_type: 'choice', choices: CHOICES };

const RULE = { ...VIEW.rule, denials: [] };

function deniedBy(value: unknown, record: Fields, inRule: readonly string[] = []) {
  const { choices: _choices, ...plain } = VIEW.record;
  const rule = { ...VIEW.rule, denials: [...inRule] };
  return isDenial({ record: { ...plain, ...record }, rule }, value);
}

describe('whether an answer denies', () => {
  it('is true for what the asker declared, and false for the other choices', () => {
    const record = { ...CHOICE, denials: ['hold'] };
    const said = ['hold', 'ship'].map((value) => deniedBy(value, record));
    assert.deepEqual(said, [true, false]);
  });

  for (const word of ['cancel', 'reject', 'no', 'DENIED', ' Abort ', 'ｎｏ']) {
    it(`is null for the choice ${JSON.stringify(word)}, which the declaration leaves out`, () => {
      const choices = ['ship', 'hold', word].map((value) => ({ value, label: value }));
      for (const [declared, inRule] of [
        [{ denials: ['hold'] }, []],
        [{ denials: ['hold'] }, ['hold']],
        [{}, ['hold']],
      ] as const) {
        const said = ['ship', 'hold', word].map((value) =>
          deniedBy(value, { response_type: 'choice', choices, ...(declared as Fields) }, inRule),
        );
        assert.deepEqual(said, [false, true, null]);
      }
    });
  }

  it('is null for the no of a question whose yes was declared a denial', () => {
    const turned: Fields = { response_type: 'confirm', denials: ['yes'] };
    assert.deepEqual([deniedBy('yes', turned), deniedBy('no', turned)], [true, null]);
    const inRule: Fields = { response_type: 'confirm', decision_rule: RULE };
    assert.deepEqual(
      [deniedBy('yes', inRule, ['yes']), deniedBy('no', inRule, ['yes'])],
      [true, null],
    );
  });

  it('goes by nothing where only the list of the rule is empty', () => {
    const asked: Fields = { ...CHOICE, decision_rule: RULE };
    assert.deepEqual(
      ['ship', 'cancel'].map((value) => deniedBy(value, asked)),
      [null, true],
    );
    const confirm: Fields = { response_type: 'confirm', decision_rule: RULE };
    assert.deepEqual(
      ['yes', 'no'].map((value) => deniedBy(value, confirm)),
      [false, true],
    );
  });

  it('goes by the denials of the rule too', () => {
    assert.equal(deniedBy('hold', CHOICE, ['hold']), true);
    assert.equal(deniedBy('ship', CHOICE, ['hold']), false);
  });

  const NO =
    'no reject rejected deny denied decline declined cancel cancelled canceled abort aborted';
  for (const word of [...NO.split(' '), 'No', 'REJECTED', ' no\n', 'ｎｏ']) {
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
