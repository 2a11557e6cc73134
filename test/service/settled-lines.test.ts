import assert from 'node:assert/strict';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { settledLine } from '../../service/welcome.js';
import { questionWith } from '../cli/support.js';

const asked: Partial<SuspensionView['record']> = {
  question: 'Deploy\non a Friday?',
  response_type: 'choice',
  choices: [{ value: 'ship', label: 'Ship it' }],
  suspended_at: '2026-11-20T10:00:00.000Z',
  settled_at: '2026-11-20T10:03:20.000Z',
};

describe('the line of a settled question', () => {
  for (const [end, words] of [
    [
      { resolution: 'responded', response: 'ship', responded_by: 'ana' },
      'answered "Ship it" by ana',
    ],
    [{ resolution: 'responded', response: 'a secret', responded_by: 'ana' }, 'answered by ana'],
    [{ resolution: 'expired' }, 'expired'],
    [{ resolution: 'cancelled' }, 'withdrawn'],
  ] as const) {
    it(`says what was decided, by whom and after how long: ${words}`, () => {
      const view = questionWith({ ...asked, ...end }, { state: 'settled' });
      const line = settledLine(view);
      assert.equal(line, `[settled] ${view.id.slice(0, 8)} ${words} after 3m: Deploy on a Friday?`);
    });
  }
});
