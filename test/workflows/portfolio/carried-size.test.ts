import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { Portfolio } from '../../../contracts/portfolio/portfolio.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import type { CarriedPortfolio } from '../../../workflows/portfolio/entity.js';
import { Members } from '../../../workflows/portfolio/members.js';
import { ID, INTENT_ID, OPENED_AT } from '../../domain/samples.js';
import { sized, text } from '../support/sizes.js';

const numbers = Array.from({ length: LIMITS.membersPerPortfolio }, (_, number) => number);
const idOf = (number: number) => `${String(number).padStart(8, '0')}${INTENT_ID.slice(8)}`;
const ownerOf = (number: number) => `${text(LIMITS.nameCharacters - 5)}${number}`;

const LARGEST: Portfolio = {
  id: ID,
  name: text(LIMITS.titleCharacters),
  description: text(LIMITS.textCharacters),
  status: 'active',
  version: Number.MAX_SAFE_INTEGER,
  governance_policy: { deadline: OPENED_AT, text: sized(LIMITS.portfolioFieldBytes) },
  metadata: { text: sized(LIMITS.portfolioFieldBytes) },
  created_by: text(LIMITS.nameCharacters),
  owner: text(LIMITS.nameCharacters),
  created_at: OPENED_AT,
  updated_at: OPENED_AT,
};

/** As many members as may be; each is suspended, and has an owner with a long name. */
function largestMembers(): Members {
  const members = new Members();
  const suspension = { suspension_id: ID, suspended_at: OPENED_AT, resolution: null };
  for (const number of numbers) {
    members.observe({
      intent_id: idOf(number),
      version: Number.MAX_SAFE_INTEGER,
      last_sequence: Number.MAX_SAFE_INTEGER,
      status: 'suspended_awaiting_input',
      suspension,
    });
    members.belongs(idOf(number), ownerOf(number));
  }
  return members;
}

describe('what a portfolio carries into its next run', () => {
  it('fits with as many members as there may be', () => {
    const members = largestMembers();
    const kept: CarriedPortfolio = {
      last_sequence: Number.MAX_SAFE_INTEGER,
      head_hash: `sha256:${'f'.repeat(43)}`,
      reached: OPENED_AT,
      ended_by: OPENED_AT,
      latecomers: members.placesOf(members.ids),
      overdue: [],
      overdue_waits: [],
      members: members.carried,
      owners: members.carriedOwners,
      observers: { informed: [], owed: [] },
      wishes: [],
      unwritten: [],
    };
    const bytes = jsonBytes([LARGEST, kept]);
    assert.ok(bytes <= WORKFLOW_LIMITS.portfolioCarriedBytes, `${bytes} bytes`);
  });

  it('is what it was', () => {
    const members = new Members();
    const question = { suspension_id: ID, suspended_at: OPENED_AT, resolution: null };
    const snapshot = { version: 3, last_sequence: 4, suspension: null };
    members.observe({ ...snapshot, intent_id: 'a', status: 'completed' });
    const suspended = { ...snapshot, status: 'suspended_awaiting_input' } as const;
    members.observe({ ...suspended, intent_id: 'b', suspension: question });
    members.observe({ ...suspended, intent_id: 'c', suspended_since: OPENED_AT });
    members.belongs('b', 'ann');
    const next = new Members(members.carried, members.carriedOwners);
    assert.deepEqual(next, members);
    assert.deepEqual(next.at(members.placesOf(['c', 'a', 'gone'])), ['c', 'a']);
  });

  it('leaves owners unknown whose names do not fit, until others go', () => {
    const members = largestMembers();
    const { names } = members.carriedOwners;
    assert.ok(jsonBytes(names) <= WORKFLOW_LIMITS.keptOwnerBytes + 2);
    assert.ok(members.owners.includes(undefined), 'so nobody owns all');
    members.remove(idOf(0));
    members.belongs(idOf(names.length), ownerOf(names.length));
    assert.equal(members.carriedOwners.names.length, names.length);
  });
});
