import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import type { SubscriptionRun } from '../../../workflows/subscription/workflow.js';
import { ID, INTENT_ID, OPENED_AT } from '../../domain/samples.js';
import { text, times, NAME } from '../support/sizes.js';

const URL_CHARACTERS = 2_000;

/** With the row that says that it has begun, which the store may not have yet. */
function largest(): SubscriptionRun {
  const subscription = {
    id: ID,
    intent_id: INTENT_ID,
    portfolio_id: null,
    subscriber_id: NAME,
    event_types: times(LIMITS.eventTypes, NAME),
    webhook_url: text(URL_CHARACTERS),
    active: true,
    expires_at: OPENED_AT,
    created_by: NAME,
    created_at: OPENED_AT,
    ended_at: null,
    end_reason: null,
  };
  return {
    subscription,
    sees_all: false,
    reader: { principal: NAME, groups: times(LIMITS.listedNames, NAME), own: true },
    after: Number.MAX_SAFE_INTEGER,
    carried: {
      after: Number.MAX_SAFE_INTEGER,
      begun: true,
      asleep: true,
      ended: 'expired',
      unwritten: [{ kind: 'subscription', subscription }],
    },
  };
}

describe('what a subscription carries into its next run', () => {
  it('fits, however large each part of it is', () => {
    assert.ok(jsonBytes(largest()) <= WORKFLOW_LIMITS.carriedBytes);
  });
});
