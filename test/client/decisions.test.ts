import assert from 'node:assert/strict';
import {
  AlreadyDecided,
  AlreadyVoted,
  ApprovalClient,
  ConnectionError,
  DataRefused,
  DecisionError,
  HoldpointError,
  NotEligible,
  PartialDecision,
  ProposalChanged,
  StageMismatch,
  UnknownRequest,
} from '../../client/index.js';
import type { FakeServer } from './support/fake-server.js';
import { withServer, type InstantPauses } from './support/harness.js';
import { problem } from './support/samples.js';

const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
const RESUME = `POST /v1/requests/${ID}/resume`;
const APPROVED = { request_id: ID, kind: 'tool_approval', status: 'approved' };

function clientOf(server: FakeServer, pauses: InstantPauses): ApprovalClient {
  const timers = { pause: pauses.pause };
  return new ApprovalClient({ baseUrl: server.url, apiKey: 'k', timers });
}

describe('deciding about a request', () => {
  it('is one call by its id, and the same one by its run [A54-18]', () =>
    withServer(async (server, pauses) => {
      server.on(RESUME, { body: APPROVED });
      const client = clientOf(server, pauses);
      const decision = { decision: 'approve', reason: 'checked', approver: 'ursula' } as const;

      const byId = await client.resume(ID, decision);
      const byRun = await client.resume({ runId: 'run-7', approvalId: ID }, decision);

      assert.deepEqual([byId, byRun], [APPROVED, APPROVED]);
      const body = { action: 'approve', comment: 'checked', approver: 'ursula' };
      assert.deepEqual(
        server.requests(RESUME).map((request) => request.body),
        [body, { ...body, run_id: 'run-7' }],
      );
    }));

  it('sends what the person has seen and filled in', () =>
    withServer(async (server, pauses) => {
      server.on(RESUME, { body: { ...APPROVED, status: 'rejected' } });

      await clientOf(server, pauses).resume(ID, {
        decision: 'reject',
        data: { limit: 3 },
        proposalHash: 'a'.repeat(64),
        suspensionId: ID,
        calls: ['call-1'],
      });

      assert.deepEqual(server.requests(RESUME)[0]?.body, {
        action: 'reject',
        data: { limit: 3 },
        proposal_hash: 'a'.repeat(64),
        suspension_id: ID,
        calls: ['call-1'],
      });
    }));

  const REFUSALS = [
    [409, 'proposal_hash_mismatch', ProposalChanged, 'ProposalChanged'],
    [403, 'not_eligible', NotEligible, 'NotEligible'],
    [403, 'forbidden', NotEligible, 'NotEligible'],
    [403, 'responded_by_mismatch', NotEligible, 'NotEligible'],
    [409, 'already_voted', AlreadyVoted, 'AlreadyVoted'],
    [422, 'partial_decision', PartialDecision, 'PartialDecision'],
    [404, 'approval_not_found', UnknownRequest, 'UnknownRequest'],
    [409, 'approval_decided', AlreadyDecided, 'AlreadyDecided'],
    [409, 'suspension_settled', AlreadyDecided, 'AlreadyDecided'],
    [409, 'stage_mismatch', StageMismatch, 'StageMismatch'],
    [422, 'invalid_value', DataRefused, 'DataRefused'],
  ] as const;
  for (const [status, code, Thrown, name] of REFUSALS) {
    it(`throws ${name} for ${code} [A54-18]`, () =>
      withServer(async (server, pauses) => {
        server.on(RESUME, problem(status, code, { field: 'data.limit', state: { by: 'people' } }));

        const failing = clientOf(server, pauses).resume(ID, { decision: 'approve' });

        await assert.rejects(failing, (error: unknown) => {
          assert.ok(error instanceof Thrown && error instanceof DecisionError);
          assert.deepEqual([error.name, error.code, error.status], [name, code, status]);
          assert.deepEqual([error.field, error.state], ['data.limit', { by: 'people' }]);
          return true;
        });
        assert.equal(server.requests(RESUME).length, 1);
      }));
  }

  it('is none that was made before where another question is open', () =>
    withServer(async (server, pauses) => {
      server.on(RESUME, problem(409, 'stage_mismatch', { state: { stage: 1 } }));

      const failing = clientOf(server, pauses).resume(ID, { decision: 'approve' });

      await assert.rejects(failing, (error) => {
        assert.ok(error instanceof StageMismatch && !(error instanceof AlreadyDecided));
        return true;
      });
    }));

  it('passes on what says nothing of the decision', () =>
    withServer(async (server, pauses) => {
      server.on(RESUME, problem(401, 'unauthenticated'));

      const failing = clientOf(server, pauses).resume(ID, { decision: 'approve' });

      await assert.rejects(failing, (error: unknown) => {
        assert.ok(error instanceof HoldpointError && !(error instanceof DecisionError));
        return true;
      });
    }));

  it('is not made again after a lost reply: it may have come through', () =>
    withServer(async (server, pauses) => {
      server.on(RESUME, 'cut');

      const failing = clientOf(server, pauses).resume(ID, { decision: 'approve' });

      await assert.rejects(failing, ConnectionError);
      assert.equal(server.requests(RESUME).length, 1);
    }));
});
