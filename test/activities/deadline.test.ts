import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expireQuestions } from '../../activities/announce.js';
import { environment } from './support.js';

const BATCH = {
  portfolio_id: 'portfolio-1',
  deadline: '2026-11-21T10:00:00.000Z',
  suspension_ids: ['there', 'missing'],
  intent_ids: ['waiting'],
};

/** One try of a batch, of which one question is not there. */
async function expire(attempt: number, heartbeatDetails?: readonly string[]) {
  const told: string[] = [];
  const workflows = {
    expireQuestion: async (id: string) => {
      told.push(id);
      return id !== 'missing';
    },
    expireIntent: async (id: string) => {
      told.push(id);
      return false;
    },
  };
  const { env, logged } = environment(attempt, { heartbeatDetails });
  let left: unknown;
  env.on('heartbeat', (details: unknown) => {
    left = details;
  });
  const failure = await env
    .run(() => expireQuestions(workflows, BATCH))
    .then(
      () => undefined,
      (error: unknown) => String(error),
    );
  const warnings = logged.filter(({ message }) => message === 'overdue_questions_missing');
  return { told, failure, left, warnings: warnings.map(({ level }) => level) };
}

describe('the deadline of a portfolio', () => {
  it('tells the others, and tries again while a question is not there', async () => {
    const { told, failure, left, warnings } = await expire(1);
    assert.deepEqual(told, ['there', 'missing', 'waiting']);
    assert.deepEqual(left, ['missing']);
    assert.deepEqual((await expire(2, ['missing'])).told, ['missing']);
    assert.match(failure ?? '', /1 of the questions are not there yet/);
    assert.deepEqual(warnings, []);
  });

  it('gives up on a question that does not come, and says so', async () => {
    const { failure, warnings } = await expire(30);
    assert.equal(failure, undefined);
    assert.deepEqual(warnings, ['WARN']);
  });
});
