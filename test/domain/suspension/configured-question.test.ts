import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { configuredQuestion } from '../../../domain/suspension/asking/configured-question.js';
import { granted, refused, requestWith } from '../samples.js';

const LIMITS = { contextBytes: 64 * 1024 };
const KEYS = [
  { space: 'default', principal: 'bob', groups: ['finance'] },
  { space: 'default', principal: 'ursula', groups: [] },
];
const ASKERS = ['agent', 'build-7'];

function ruling(fields: Partial<SuspendRequest>, config: object = {}) {
  const people = knownPeople('default', KEYS);
  const parsed = serverConfigSchema.parse(config);
  return configuredQuestion(requestWith(fields), parsed, LIMITS, 'default', people, ASKERS);
}

function ladderTo(...names: readonly (string | null)[]): Partial<SuspendRequest> {
  const escalation_ladder = names.map((notify_to, index) => ({
    attempt: index + 1,
    channel_hint: 'console',
    notify_to,
  }));
  return { retry_policy: { max_attempts: 5, interval_seconds: 60, escalation_ladder } };
}

describe('a question as the server is configured', () => {
  const separate = { suspension: { separation_of_duties: true } };
  const forUrsula = {
    on_behalf_of: 'ursula',
    decision_rule: { eligible: { principals: ['ursula'] } },
  };

  it('lets somebody else answer than who asks, and is asked for, where duties are separate', () => {
    const { code, field } = refused(ruling(forUrsula, separate));
    assert.deepEqual([code, field], ['invalid_decision_rule', 'decision_rule.eligible']);
    granted(ruling(forUrsula));
    const both = { ...forUrsula, decision_rule: { eligible: { principals: ['ursula', 'bob'] } } };
    granted(ruling(both, separate));
  });

  it('warns of whom its ladder is to notify and nobody knows, where there is no directory', () => {
    const { findings } = granted(ruling(ladderTo('bob', 'finance', 'bobb', null, 'bobb')));
    assert.deepEqual(findings.warnings, [
      'No key has the name bobb, whom the ladder is to notify; only a channel may know it.',
    ]);
  });
});
