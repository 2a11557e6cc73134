import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import type { CarriedCoordinator } from '../../../workflows/coordinator/workflow.js';
import { ID, INTENT_ID, OPENED_AT } from '../../domain/samples.js';
import { KIB, PAYLOAD_BYTES, sized, times, NAME } from '../support/sizes.js';

const perMember = <T>(one: T) => times(LIMITS.membersPerPortfolio, one);
const most = Number.MAX_SAFE_INTEGER;

const LARGEST: Coordinator = {
  id: ID,
  intent_id: null,
  portfolio_id: INTENT_ID,
  agent_id: NAME,
  holder: NAME,
  role: NAME,
  supervisor_id: NAME,
  coordinator_type: 'composite',
  scope: 'portfolio',
  status: 'unresponsive',
  guardrails: { text: sized(LIMITS.portfolioFieldBytes) },
  suspension_policy: 'block_dependents',
  own_intent_id: INTENT_ID,
  heartbeat_interval_seconds: LIMITS.heartbeatSeconds,
  last_heartbeat: OPENED_AT,
  granted_at: OPENED_AT,
  expires_at: OPENED_AT,
  version: most,
  metadata: { text: sized(LIMITS.portfolioFieldBytes) },
};

/** What it keeps, but for what is still on its way. */
const KEPT: CarriedCoordinator = {
  escalated: times(WORKFLOW_LIMITS.keptRequestKeys, ID),
  holds: { held: perMember(INTENT_ID), turns: most },
  last_heard: perMember([INTENT_ID, most, most] as const),
  notes: [],
  wishes: [],
  membership: { members: perMember(INTENT_ID), known: most, asked: true, wanted: most },
  unwritten: [],
};

describe('what a coordinator carries into its next run', () => {
  it('fits, however large its portfolio is', () => {
    const { portfolioCarriedBytes } = WORKFLOW_LIMITS;
    assert.ok(jsonBytes(KEPT) <= portfolioCarriedBytes, `${jsonBytes(KEPT)} bytes`);
    assert.ok(portfolioCarriedBytes + jsonBytes(LARGEST) + KIB <= PAYLOAD_BYTES);
  });
});
