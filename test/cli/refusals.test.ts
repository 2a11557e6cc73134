import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../api/errors.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { EXIT } from '../../cli/failures.js';
import { toldOf } from '../../cli/mcp-stdio.js';
import { localTime } from '../../cli/text.js';
import { HoldpointError } from '../../client/errors.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { questionWith, showing, withShell } from './support.js';

const AT = '2026-11-20T10:20:00.000Z';
const HERE = localTime(AT);
const NO_CHOICE = {
  code: 'invalid_value',
  detail: 'The value is none of the valid choices.',
  field: 'value',
  accepted: 'one of valid_choices',
  valid_choices: ['yes', 'no'],
} as const;
const CLAIMED = {
  code: 'claimed_by_other',
  detail: 'It is claimed.',
  state: { holder: 'bob', expires_at: AT },
} as const;
const MEANT = { ...CLAIMED, field: 'despite_claim', accepted: 'true' } as const;
const settled = (state: Refusal['state'] = {}) =>
  ({ code: 'suspension_settled', detail: 'The question is settled.', state }) as const;
const BY_BOB = { resolution: 'responded', responded_by: 'bob', settled_at: AT, value: 'no' };

/** What the command says of each refusal. */
const SAID: readonly (readonly [Refusal, string])[] = [
  [NO_CHOICE, 'The value is none of the valid choices. Accepted for value: yes, no.'],
  [
    { ...NO_CHOICE, detail: 'It is too long.', accepted: 'a shorter text', valid_choices: [] },
    'It is too long. Accepted for value: a shorter text.',
  ],
  [CLAIMED, `bob has claimed the question until ${HERE}.`],
  [
    MEANT,
    `bob has claimed the question until ${HERE}. To answer all the same, add --despite-claim.`,
  ],
  [{ ...CLAIMED, state: {} }, 'It is claimed.'],
  [settled(BY_BOB), `The question was answered by bob, ${HERE}: no.`],
  [settled({ resolution: 'expired', settled_at: AT }), `The question has expired, ${HERE}.`],
  [settled({ resolution: 'cancelled', settled_at: AT }), `The question was withdrawn, ${HERE}.`],
  [settled({ resolution: 'eaten' }), 'The question is settled.'],
  [settled(), 'The question is settled.'],
];

describe('what the command line says of a refusal', () => {
  for (const [refusal, says] of SAID) {
    it(says.replaceAll(HERE, 'then'), () =>
      withShell(
        {
          ...showing(questionWith()),
          respond: () => Promise.reject(new RefusalError(refusal)),
        },
        async (shell) => {
          const one = await shell.run(['answer', SUSPENSION_ID, 'yes']);
          assert.deepEqual(one, {
            code: EXIT.refused,
            out: '',
            err: `${says} (${refusal.code})\n`,
          });
          const many = await shell.run(['answer-all', 'yes', SUSPENSION_ID, '--yes']);
          assert.deepEqual(many, {
            code: EXIT.refused,
            out: `Refused: 0b7a9c1e Approve? (${refusal.code}: ${says})\n`,
            err: '',
          });
        },
      ),
    );
  }

  it('shows times by the clock of the machine', () => {
    assert.equal(new Date(HERE.replace(' ', 'T')).toISOString(), AT);
    assert.equal(localTime('soon'), 'soon');
  });

  it('steers no terminal by the name of who has it', () =>
    withShell(
      {
        ...showing(questionWith()),
        respond: () =>
          Promise.reject(
            new RefusalError({ ...CLAIMED, state: { holder: '\u001b[2Jbob', expires_at: AT } }),
          ),
      },
      async (shell) => {
        const { err } = await shell.run(['answer', SUSPENSION_ID, 'yes']);
        assert.equal(err.includes('\u001b'), false);
        assert.match(err, /bob has claimed/);
      },
    ));

  it('names a model the values to choose from', () => {
    const { code, detail, ...more } = NO_CHOICE;
    assert.deepEqual(toldOf(new HoldpointError(code, detail, more)), NO_CHOICE);
    assert.equal(toldOf(new Error('lost')).code, 'internal');
  });
});
