import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toMillis } from '../../../domain/kernel/time.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import { standingOf, targetsOf } from '../../../domain/suspension/telling/notifications.js';
import { OPENED_AT, recordWith } from '../samples.js';

const principals = (...names: string[]) => ({ principals: names });
const RULE = { ...DEFAULT_RULE, eligible: principals('alice', 'bob', 'carol'), excluded: ['eve'] };

describe('who may decide a question, as a delivery tells it', () => {
  const decidersOf = (
    fields: Partial<SuspensionState> = {},
    timeline: Parameters<typeof standingOf>[1] = [],
  ) => {
    const record = recordWith({ decision_rule: { ...RULE, quorum: 2 } });
    const state = { intent_id: null, record, attempt: 1, ...fields };
    return standingOf(state, timeline, ['agent-1'], toMillis(OPENED_AT)).deciders;
  };

  it('are all whom its rule names, and as many of them as have to agree', () => {
    const { eligible, excluded } = RULE;
    const asked = { eligible, excluded, askers: ['agent-1'], done: [], needed: 2 };
    assert.deepEqual(decidersOf(), asked);
  });

  it('are fewer once somebody has voted, and at least one', () => {
    const cast = (principal: string) => {
      const vote = { principal, actor: principal, value: 'approve', question_version: 1 };
      return {
        vote: { ...vote, counted_at: OPENED_AT },
        answer: { key: principal, body_hash: '' },
      };
    };
    const one = decidersOf({ votes: [cast('alice')] as never });
    assert.deepEqual([one.done, one.needed], [['alice'], 1]);
    const two = decidersOf({ votes: [cast('alice'), cast('bob')] as never });
    assert.deepEqual([two.done, two.needed], [['alice', 'bob'], 1]);
  });

  it('are not who has passed it on, but whom it was passed on to', () => {
    const detail = { delegated_by: 'alice', to: 'dora', reason: 'Her customer.' };
    const told = { sequence: 1, at: OPENED_AT, kind: 'delegated', detail } as const;
    const record = recordWith({ decision_rule: RULE });
    const { done, eligible } = decidersOf({ record, delegates: ['dora'] }, [told]);
    assert.deepEqual([done, eligible.principals], [['alice'], ['alice', 'bob', 'carol', 'dora']]);
  });
});

describe('the targets of an attempt', () => {
  const attempt = { attempt: 2, at: OPENED_AT, next_attempt_at: null, notify_to: null };

  it('tell all whom a rung makes eligible, and once', () => {
    const lead = { attempt: 2, channel_hint: 'mail', notify_to: 'bob' };
    const boss = { attempt: 2, channel_hint: 'chat', notify_to: 'carol' };
    const ladder = [{ ...lead, eligible: principals('bob', 'dora') }, boss];
    assert.deepEqual(targetsOf({ ...attempt, channel_hint: null, ladder }), [
      { channel_hint: 'mail', notify_to: 'bob', telling: { others: 'all', beside: ['carol'] } },
      { channel_hint: 'chat', notify_to: 'carol', telling: { others: 'none' } },
    ]);
  });
});
