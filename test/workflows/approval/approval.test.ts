import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AUTO_APPROVER } from '../../../contracts/constants/approvals.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';
import { eventsOf, openApproval, tierOf, vote } from '../support/approvals.js';
import { perSuite, World } from '../support/world.js';

describe('an approval', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('waits for one person, and returns what may run [A54-05] [A54-22]', async () => {
    const handle = await openApproval(world);
    const tier = await tierOf(world, handle);
    assert.equal(tier.record.question, 'May bot run wire?');
    await vote(world, tier, 'alice');
    const { resolution, proposal, proposed_hash } = await handle.result();
    assert.equal(resolution.status, 'approved');
    assert.equal(resolution.by, 'people');
    assert.equal(resolution.respondent, 'alice');
    assert.equal(resolution.proposal_hash, proposed_hash);
    assert.equal(hashOf(proposal), proposed_hash);
    assert.deepEqual(proposal.calls[0]?.arguments, { amount: 500, to: 'ada' });
  });

  it('logs the whole envelope, each vote, and its end once [A54-11] [A54-12] [A54-13] [AM-67]', async () => {
    const handle = await openApproval(world);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    const { proposal, proposed_hash } = await handle.result();
    const events = eventsOf(world, proposal.run_id);
    const types = events.map(({ event_type }) => event_type);
    assert.deepEqual(types, ['approval_requested', 'approval_vote', 'approval_resolved']);
    const [requested, voted, resolved] = events;
    assert.deepEqual(requested?.payload['proposal'], proposal);
    assert.equal(requested.payload['proposal_hash'], proposed_hash);
    assert.equal(voted?.payload['principal'], 'alice');
    assert.equal(resolved?.payload['approver'], 'alice');
    assert.equal(resolved.payload['proposal_hash'], proposed_hash);
  });

  it('is decided by a rule without a question or a timer [A54-04] [AM-68]', async () => {
    const handle = await openApproval(world, {
      rules: [{ tool: 'wire', verdict: 'allow', risk_class: 'low' }],
    });
    const { resolution, proposal } = await handle.result();
    assert.equal(resolution.status, 'approved');
    assert.equal(resolution.by, 'policy');
    const [event, ...others] = eventsOf(world, proposal.run_id);
    assert.equal(event?.event_type, 'approval_resolved');
    assert.equal(event.payload['approver'], AUTO_APPROVER);
    assert.deepEqual(others, []);
    const { events } = await handle.fetchHistory();
    const started = (events ?? []).filter(
      (one) =>
        one.timerStartedEventAttributes ?? one.startChildWorkflowExecutionInitiatedEventAttributes,
    );
    assert.deepEqual(started, []);
  });
});
