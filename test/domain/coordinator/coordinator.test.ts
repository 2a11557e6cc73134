import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  createCoordinatorRequestSchema,
  type Coordinator,
} from '../../../contracts/coordinator/coordinator.js';
import {
  escalationOf,
  heartbeat,
  newCoordinator,
  nextHeartbeat,
  nextStatusChange,
  statusAt,
} from '../../../domain/coordinator/coordinator.js';
import { plusSeconds, toMillis } from '../../../domain/kernel/time.js';
import { granted, ID, INTENT_ID, OPENED_AT, refused } from '../samples.js';
import { caller } from '../../support/callers.js';

const IDENTITY = { id: ID, agent_id: 'some agent', holder: 'agent-1', granted_at: OPENED_AT };
const at = (seconds: number): number => toMillis(OPENED_AT) + seconds * 1_000;

function made(fields: object = {}) {
  const request = createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID, ...fields });
  return newCoordinator(request, IDENTITY, LIMITS);
}

describe('a coordinator lease', () => {
  it('isolates suspensions by default [R26-31]', () => {
    const lease = granted(made());
    assert.deepEqual(
      [lease.suspension_policy, lease.status, lease.scope, lease.heartbeat_interval_seconds],
      ['isolate', 'active', 'intent', 60],
    );
    assert.throws(() => made({ suspension_policy: 'ignore' }), /suspension_policy/);
  });

  it('has a portfolio for its scope, and a supervisor, if the request names them', () => {
    const fields = { intent_id: undefined, portfolio_id: ID, supervisor_id: 'boss' };
    const { scope, intent_id, portfolio_id, supervisor_id } = granted(made(fields));
    assert.deepEqual(
      [scope, intent_id, portfolio_id, supervisor_id],
      ['portfolio', null, ID, 'boss'],
    );
    assert.equal(granted(made()).supervisor_id, null);
  });

  it('does not coordinate the intent that is its own [AM-39]', () => {
    assert.equal(granted(made({ own_intent_id: ID })).own_intent_id, ID);
    const refusal = refused(made({ own_intent_id: INTENT_ID }));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'own_intent_id']);
  });

  it('has one scope, and no end in the past', () => {
    for (const fields of [{ intent_id: undefined }, { portfolio_id: ID }]) {
      const { code, field, accepted } = refused(made(fields));
      assert.deepEqual([code, field], ['invalid_request', 'intent_id']);
      assert.equal(accepted, 'either intent_id or portfolio_id');
    }
    assert.equal(refused(made({ expires_at: OPENED_AT })).code, 'deadline_in_past');
    assert.equal(refused(made({ expires_at: '9999-01-01' })).field, 'expires_at');
    const large = { text: 'x'.repeat(LIMITS.portfolioFieldBytes) };
    assert.equal(refused(made({ guardrails: large })).field, 'guardrails');
  });

  for (const [seconds, status] of [
    [119, 'active'],
    [120, 'unresponsive'],
    [299, 'unresponsive'],
    [300, 'failed_over'],
  ] as const) {
    it(`is ${status} ${seconds} seconds after its last heartbeat`, () => {
      assert.equal(statusAt(granted(made()), at(seconds)), status);
    });
  }

  it('is completed at its end, unless silence ended it before', () => {
    const short = granted(made({ expires_at: plusSeconds(OPENED_AT, 200) }));
    assert.equal(statusAt(short, at(199)), 'unresponsive');
    assert.equal(statusAt(short, at(200)), 'completed');
    const even = granted(made({ expires_at: plusSeconds(OPENED_AT, 300) }));
    assert.equal(statusAt(even, at(300)), 'completed');
    const long = granted(made({ expires_at: plusSeconds(OPENED_AT, 301) }));
    assert.equal(statusAt(long, at(1_000)), 'failed_over');
  });

  it('names the instant after the one that it has reached', () => {
    assert.equal(nextStatusChange(granted(made()), at(120)), plusSeconds(OPENED_AT, 300));
  });

  it('stays ended for good, whatever its instants say', () => {
    for (const status of ['failed_over', 'completed'] as const) {
      const lease = { ...granted(made()), status };
      assert.equal(statusAt(lease, at(0)), status);
      assert.equal(nextStatusChange(lease, at(0)), undefined);
    }
  });

  it('is renewed by its holder, also when it was unresponsive', () => {
    const renewed = granted(heartbeat(granted(made()), caller('agent-1'), at(130)));
    assert.deepEqual([renewed.status, statusAt(renewed, at(249))], ['active', 'active']);
    assert.equal(nextHeartbeat(renewed), plusSeconds(OPENED_AT, 190));
  });

  it('is renewed neither by another nor once it is over', () => {
    assert.equal(
      refused(heartbeat(granted(made()), caller('agent-2'), at(1))).code,
      'lease_not_found',
    );
    const over = refused(heartbeat(granted(made()), caller('agent-1'), at(300)));
    assert.deepEqual(
      [over.code, over.state],
      ['coordinator_closed', { coordinator_status: 'failed_over' }],
    );
  });

  it('changes only at the instant that it names as the next', () => {
    const leases = fc.record({
      interval: fc.integer({ min: 1, max: 50 }),
      end: fc.option(fc.integer({ min: 1, max: 300 })),
      now: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(leases, ({ interval, end, now }) => {
        const lease: Coordinator = {
          ...granted(made({ heartbeat_interval_seconds: interval })),
          expires_at: end === null ? null : plusSeconds(OPENED_AT, end),
        };
        const before = statusAt(lease, at(now));
        const turn = nextStatusChange(lease, at(now));
        const until = turn === undefined ? at(1_000) : toMillis(turn);
        for (let second = at(now); second < until; second += 1_000) {
          assert.equal(statusAt(lease, second), before);
        }
        if (turn !== undefined) assert.notEqual(statusAt(lease, until), before);
      }),
    );
  });
});

describe('the suspension policy of a coordinator', () => {
  const announcement: Announcement = {
    intent_id: INTENT_ID,
    version: 3,
    last_sequence: 2,
    held: true,
    holds: 1,
    status: 'suspended_awaiting_input',
    suspension: {
      suspension_id: ID,
      suspended_at: OPENED_AT,
      expires_at: null,
      attempt: 1,
      resolution: null,
      settled_at: null,
    },
  };
  const by = (suspension_policy: Coordinator['suspension_policy']) => ({
    id: 'c',
    suspension_policy,
  });

  it('escalates who waits [R26-34, AM-10]', () => {
    assert.deepEqual(escalationOf(by('escalate'), announcement), {
      intent_id: INTENT_ID,
      suspension_id: ID,
      coordinator_id: 'c',
      expires_at: null,
    });
  });

  it('escalates nobody who does not wait', () => {
    assert.equal(escalationOf(by('escalate'), { ...announcement, status: 'active' }), null);
    assert.equal(escalationOf(by('escalate'), { ...announcement, suspension: null }), null);
    const suspension = {
      ...(announcement.suspension ?? assert.fail()),
      resolution: 'responded' as const,
    };
    assert.equal(escalationOf(by('escalate'), { ...announcement, suspension }), null);
  });

  it('does nothing where it isolates [R26-32]', () => {
    assert.equal(escalationOf(by('isolate'), announcement), null);
    assert.equal(escalationOf(by('block_dependents'), announcement), null);
  });
});
