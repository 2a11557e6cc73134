import assert from 'node:assert/strict';
import type { Portfolio } from '../../../contracts/portfolio/portfolio.js';
import { countStatuses } from '../../../domain/graph/aggregate.js';
import {
  createdPortfolio,
  describePortfolio,
  memberMoved,
  portfolioAnnouncement,
  viewOfPortfolio,
} from '../../../domain/portfolio/view.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { ID, INTENT_ID, OPENED_AT } from '../samples.js';

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
