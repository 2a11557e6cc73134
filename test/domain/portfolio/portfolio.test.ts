import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import {
  changePortfolioRequestSchema,
  createPortfolioRequestSchema,
  type Portfolio,
} from '../../../contracts/portfolio/portfolio.js';
import { aggregateOf, aggregateStatusOf, countStatuses } from '../../../domain/graph/aggregate.js';
import { changeGovernance, newIntent } from '../../../domain/intent/entity.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import {
  changePortfolio,
  checkPortfolioOpen,
  checkPortfolioVersion,
  closePortfolio,
  newPortfolio,
} from '../../../domain/portfolio/portfolio.js';
import {
  createdPortfolio,
  describePortfolio,
  memberMoved,
  portfolioAggregate,
  portfolioAnnouncement,
  viewOfPortfolio,
} from '../../../domain/portfolio/view.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { granted, ID, INTENT_ID, OPENED_AT, refused } from '../samples.js';

const IDENTITY = { id: ID, created_by: 'agent-1', owner: 'agent-1', created_at: OPENED_AT };
const LATER = plusSeconds(OPENED_AT, 3_600);
const STATUSES: readonly IntentStatus[] = [
  'draft',
  'active',
  'blocked',
  'suspended_awaiting_input',
  'completed',
  'abandoned',
];

function made(fields: object = {}) {
  const request = createPortfolioRequestSchema.parse({ name: 'Launch', ...fields });
  return newPortfolio(request, IDENTITY, LIMITS);
}

function changed(portfolio: Portfolio, fields: object, now = OPENED_AT) {
  return changePortfolio(portfolio, changePortfolioRequestSchema.parse(fields), 'bob', now, LIMITS);
}

describe('the aggregate of a portfolio', () => {
  const statusOf = (...statuses: readonly IntentStatus[]) =>
    portfolioAggregate(countStatuses(statuses)).status;

  it('is completed where all are [R26-20]', () => {
    assert.equal(statusOf('completed', 'completed'), 'completed');
  });

  it('is failed where one is abandoned [R26-21]', () => {
    assert.equal(statusOf('completed', 'abandoned'), 'failed');
    assert.equal(statusOf('active', 'abandoned'), 'failed');
  });

  it('is in progress otherwise, with suspended members too [R26-22]', () => {
    assert.equal(statusOf('completed', 'suspended_awaiting_input'), 'in_progress');
    assert.equal(statusOf('draft', 'blocked'), 'in_progress');
  });

  it('is in progress where there is no member [AM-41]', () => {
    assert.equal(statusOf(), 'in_progress');
    assert.equal(portfolioAggregate({ completed: 0 }).status, 'in_progress');
  });

  it('takes the first rule that matches, and still counts who waits [R26-23]', () => {
    const view = viewOfPortfolio(
      granted(made()),
      countStatuses(['abandoned', 'suspended_awaiting_input', 'suspended_awaiting_input']),
    );
    assert.equal(view.aggregate_status.status, 'failed');
    assert.deepEqual([view.has_suspended_members, view.suspended_member_count], [true, 2]);
  });

  it('says false and 0 where nobody waits [R26-19]', () => {
    const view = viewOfPortfolio(granted(made()), countStatuses(['active']));
    assert.deepEqual([view.has_suspended_members, view.suspended_member_count], [false, 0]);
  });

  it('never changes the status of the portfolio itself [R26-05, R26-06]', () => {
    const members = fc.array(fc.constantFrom(...STATUSES));
    fc.assert(
      fc.property(members, (statuses) => {
        const view = viewOfPortfolio(granted(made()), countStatuses(statuses));
        assert.equal(view.status, 'active');
        assert.equal(view.aggregate_status.total, statuses.length);
      }),
    );
  });

  it('counts each status that there is, and the completed share', () => {
    assert.deepEqual(aggregateStatusOf(countStatuses(['completed', 'active', 'active'])), {
      total: 3,
      by_status: { completed: 1, active: 2 },
      completion_percentage: 33,
    });
    assert.equal(aggregateStatusOf({}).completion_percentage, 0);
  });

  it('has the whole percentage of any share, as children and graph have', () => {
    for (let completed = 0; completed <= 100; completed += 1) {
      const counts = { completed, active: 100 - completed };
      const rows = Object.entries(counts).map(([status, count]) => ({
        status: status as IntentStatus,
        count,
      }));
      const shares = [aggregateStatusOf(counts), aggregateOf(rows)];
      assert.deepEqual(
        shares.map(({ completion_percentage }) => completion_percentage),
        [completed, completed],
      );
    }
  });
});

describe('a new portfolio', () => {
  it('is active, of version 1, and keeps what it was given', () => {
    const policy = { deadline: LATER, budget_limit_cents: 100 };
    const portfolio = granted(made({ governance_policy: policy, metadata: { team: 'x' } }));
    assert.deepEqual(portfolio, {
      id: ID,
      name: 'Launch',
      description: null,
      status: 'active',
      version: 1,
      governance_policy: policy,
      metadata: { team: 'x' },
      created_by: 'agent-1',
      owner: 'agent-1',
      created_at: OPENED_AT,
      updated_at: OPENED_AT,
    });
  });

  for (const [form, instant] of [
    ['2027-03-31T00:00:00Z', '2027-03-31T00:00:00.000Z'],
    ['2027-03-31T02:00:00+02:00', '2027-03-31T00:00:00.000Z'],
    ['2027-03-31T00:00:00.123456', '2027-03-31T00:00:00.123Z'],
    ['2027-03-31', '2027-03-31T00:00:00.000Z'],
  ] as const) {
    it(`takes ${form} for a deadline`, () => {
      const { governance_policy: policy } = granted(
        made({ governance_policy: { deadline: form } }),
      );
      assert.equal(policy.deadline, instant);
    });
  }

  it('refuses a deadline that has passed', () => {
    const refusal = refused(made({ governance_policy: { deadline: OPENED_AT } }));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['deadline_in_past', 'governance_policy.deadline', `an instant after ${OPENED_AT}`],
    );
  });

  it('refuses a deadline that nobody lives to see', () => {
    const refusal = refused(made({ governance_policy: { deadline: '9999-01-01T00:00:00Z' } }));
    assert.deepEqual(
      [refusal.code, refusal.field],
      ['invalid_request', 'governance_policy.deadline'],
    );
  });

  it('refuses metadata that is too large', () => {
    const refusal = refused(made({ metadata: { text: 'x'.repeat(LIMITS.portfolioFieldBytes) } }));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'metadata']);
  });
});

describe('changing a portfolio', () => {
  const portfolio = granted(made({ governance_policy: { deadline: LATER } }));
  const afterwards = plusSeconds(LATER, 1);

  it('replaces what is named, and nothing else', () => {
    const { portfolio: next, event } = granted(changed(portfolio, { name: 'Other' }, LATER));
    assert.deepEqual(next, { ...portfolio, name: 'Other', version: 2, updated_at: LATER });
    assert.deepEqual(event, {
      event_type: 'portfolio.changed',
      actor: 'bob',
      payload: { fields: ['name'], version: 2 },
    });
    const described = granted(changed(portfolio, { description: 'Spring' }, LATER));
    assert.deepEqual(described.portfolio.description, 'Spring');
    assert.deepEqual(described.event.payload['fields'], ['description']);
  });

  it('moves the deadline', () => {
    const deadline = plusSeconds(LATER, 60);
    const { portfolio: next, event } = granted(
      changed(portfolio, { governance_policy: { deadline } }),
    );
    assert.equal(next.governance_policy.deadline, deadline);
    assert.equal(event.payload['deadline'], deadline);
  });

  it('drops the deadline', () => {
    for (const policy of [{ deadline: null }, {}]) {
      const { portfolio: next, event } = granted(changed(portfolio, { governance_policy: policy }));
      assert.deepEqual(next.governance_policy, {});
      assert.equal(event.payload['deadline'], null);
    }
  });

  it('keeps a deadline that has passed meanwhile, but moves none into the past', () => {
    granted(changed(portfolio, { governance_policy: { deadline: LATER, more: 1 } }, afterwards));
    const deadline = plusSeconds(LATER, -1);
    const refusal = refused(changed(portfolio, { governance_policy: { deadline } }, afterwards));
    assert.equal(refusal.code, 'deadline_in_past');
  });

  it('is for the version that was read', () => {
    const { portfolio } = granted(changed(granted(made()), { name: 'Relaunch' }));
    assert.equal(granted(checkPortfolioVersion(portfolio, 2)), true);
    const { code, state } = refused(checkPortfolioVersion(portfolio, 1));
    assert.equal(code, 'version_conflict');
    assert.deepEqual(state, { current_version: 2, portfolio_status: 'active' });
  });

  it('refuses a request that names nothing', () => {
    assert.equal(changePortfolioRequestSchema.safeParse({}).success, false);
  });

  it('closes for good', () => {
    const { portfolio: closed, event } = granted(
      closePortfolio(portfolio, 'completed', 'bob', LATER),
    );
    assert.deepEqual([closed.status, closed.version], ['completed', 2]);
    assert.deepEqual(event, {
      event_type: 'portfolio.status_changed',
      actor: 'bob',
      payload: { status: 'completed', version: 2 },
    });
    assert.equal(granted(checkPortfolioOpen(portfolio)), true);
    for (const ruling of [
      changed(closed, { name: 'Other' }),
      closePortfolio(closed, 'abandoned', 'bob', LATER),
    ]) {
      const refusal = refused(ruling);
      assert.deepEqual(
        [refusal.code, refusal.state],
        ['portfolio_closed', { portfolio_status: 'completed' }],
      );
    }
  });

  it('refuses to be made what it is', () => {
    const refusal = refused(closePortfolio(portfolio, 'active', 'bob', LATER));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted, refusal.state],
      ['invalid_transition', 'status', 'completed, abandoned', { portfolio_status: 'active' }],
    );
  });
});

describe('a governance policy', () => {
  const request = {
    title: 'Refund',
    status: 'active' as const,
    state: {},
    constraints: {},
    depends_on: [],
  };
  const intent = newIntent(request, {
    id: INTENT_ID,
    created_by: 'agent',
    owner: 'agent',
    created_at: OPENED_AT,
  });
  const policy = { max_cost: 5 };

  it('is stored unchanged and removed, one version each', () => {
    const set = granted(changeGovernance(intent, policy, 'agent', OPENED_AT, 1_000));
    assert.deepEqual([set.intent.governance_policy, set.intent.version], [policy, 2]);
    assert.deepEqual(set.events, [
      { event_type: 'governance.policy_set', actor: 'agent', payload: { policy, version: 2 } },
    ]);
    const removed = granted(changeGovernance(set.intent, null, 'agent', OPENED_AT, 1_000));
    assert.ok(!('governance_policy' in removed.intent));
    assert.deepEqual(removed.events, [
      { event_type: 'governance.policy_removed', actor: 'agent', payload: { version: 3 } },
    ]);
  });

  it('is not changed of a closed intent', () => {
    const closed = { ...intent, status: 'completed' } as const;
    assert.equal(
      refused(changeGovernance(closed, policy, 'a', OPENED_AT, 1_000)).code,
      'intent_closed',
    );
  });
});

const PORTFOLIO: Portfolio = {
  id: ID,
  name: 'Launch #1',
  description: null,
  status: 'active',
  version: 3,
  governance_policy: {},
  metadata: {},
  created_by: 'agent_1',
  created_at: OPENED_AT,
  updated_at: OPENED_AT,
};
const WITH_DEADLINE = { ...PORTFOLIO, governance_policy: { deadline: OPENED_AT } };

describe('the details of a portfolio', () => {
  it('show name, status and creator of one without members', () => {
    assert.deepEqual(describePortfolio(viewOfPortfolio(PORTFOLIO, {})).split('\n'), [
      '**Launch \\#1**',
      '',
      '- Status: `active`; its members come to `in_progress`',
      '- Members: none',
      '- Created by agent\\_1',
    ]);
  });

  it('count the members by status and those who wait for an operator', () => {
    const counts = countStatuses(['completed', 'suspended_awaiting_input', 'completed']);
    const text = describePortfolio(viewOfPortfolio(PORTFOLIO, counts));
    assert.deepEqual(text.split('\n').slice(3, 5), [
      '- Members: 2 completed, 1 suspended_awaiting_input',
      '- Waiting for an operator: 1',
    ]);
  });

  it('show the deadline, and whether it has come', () => {
    const view = viewOfPortfolio(WITH_DEADLINE, {});
    const deadlineIn = (reached?: string) => describePortfolio(view, reached).split('\n')[4];
    assert.equal(deadlineIn(), `- Deadline: ${OPENED_AT}`);
    assert.equal(deadlineIn('2026-03-01T00:00:00.000Z'), `- Deadline: ${OPENED_AT}`);
    assert.equal(deadlineIn(OPENED_AT), `- Deadline: ${OPENED_AT}, which has come`);
  });
});

describe('the events of a portfolio', () => {
  it('begin with its name and its deadline', () => {
    assert.deepEqual(createdPortfolio(WITH_DEADLINE), {
      event_type: 'portfolio.created',
      actor: 'agent_1',
      payload: { name: 'Launch #1', deadline: OPENED_AT },
    });
    assert.equal(createdPortfolio(PORTFOLIO).payload['deadline'], null);
  });

  for (const kind of ['suspended', 'resumed'] as const) {
    it(`say that a member ${kind}, and how many wait then [R26-85]`, () => {
      const view = viewOfPortfolio(PORTFOLIO, countStatuses(['suspended_awaiting_input']));
      assert.deepEqual(memberMoved(view, INTENT_ID, { kind, suspension_id: 'a' }), {
        event_type: `portfolio.member_${kind}`,
        actor: CLOCK_ACTOR,
        payload: {
          portfolio_id: ID,
          intent_id: INTENT_ID,
          suspension_id: 'a',
          suspended_member_count: 1,
        },
      });
    });
  }
});

describe('the announcement of a portfolio', () => {
  it('says which version it has and where its log ends', () => {
    assert.deepEqual(portfolioAnnouncement(PORTFOLIO, { last_sequence: 7 }), {
      portfolio_id: ID,
      version: 3,
      last_sequence: 7,
    });
  });
});
