import type { EntityKey } from '../../contracts/kernel/primitives.js';
import assert from 'node:assert/strict';
import type {
  ApprovalEnd,
  ApprovalReconciliation,
  TimeRange,
} from '../../activities/ports/reconciliation.js';
import { reconcile } from '../../activities/reconcile.js';
import type { ReconcileRequest } from '../../activities/types.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import { LAST_REVISION } from '../../contracts/constants/limits.js';
import type { RowOf } from '../../contracts/log/journal.js';
import { wireWith } from '../domain/approval/wires.js';
import { noQuestions } from './support.js';

const NOW = new Date('2026-03-24T10:00:00.000Z');
const SINCE = '2026-03-24T09:59:00.000Z';
const UNTIL = '2026-03-24T09:59:30.000Z';

function viewOf(approval_id: string, fields: Partial<ApprovalView> = {}): ApprovalView {
  return {
    approval_id,
    status: 'pending',
    proposal: wireWith({ approval_id }),
    proposal_hash: 'a'.repeat(64),
    proposed_hash: 'a'.repeat(64),
    intent_id: null,
    asked_by: 'agent-1',
    created_at: SINCE,
    suspension_id: `question of ${approval_id}`,
    stage: 0,
    tier: 0,
    ...fields,
  };
}

function rowOf(approval: ApprovalView): RowOf<'approval'> {
  return { kind: 'approval', approval, proposed: approval.proposal, revision: 4 };
}

/** Approvals of a store and a Temporal in memory; what happens is noted in its order. */
class Installation {
  readonly views = new Map<string, ApprovalView>();
  /** Undefined for one that goes on. */
  readonly ends = new Map<string, ApprovalEnd | undefined>();
  readonly running: string[] = [];
  readonly done: string[] = [];
  readonly notes: ApprovalNote[] = [];
  readonly ranges: (TimeRange | string)[] = [];
  readonly revisions: number[] = [];

  readonly approvals: ApprovalReconciliation = {
    endedIn: (range) => this.listed(range),
    openIn: (until) => this.listed(until),
    notKnown: async (page) => page.filter(({ id }) => !this.views.has(id)),
    notDecided: async (page) =>
      page.filter(({ id }) => (this.views.get(id)?.status ?? 'pending') === 'pending'),
    endOf: async ({ id }) => this.ends.get(id),
    find: async ({ id }) => this.views.get(id),
    withdrawQuestions: async ({ id }, reason) => void this.done.push(`withdrew ${id}: ${reason}`),
    writeRow: async ({ approval, revision }, space) => {
      this.views.set(approval.approval_id, approval);
      this.revisions.push(revision);
      this.done.push(`wrote ${approval.approval_id} in ${space}: ${approval.status}`);
    },
    note: async (note, space) => {
      this.notes.push(note);
      this.done.push(`noted ${note.key} in ${space}`);
    },
  };

  look(request: ReconcileRequest = { since: SINCE }) {
    const reconciliation = {
      ...noQuestions(),
      approvals: this.approvals,
      runningSince: (type: string) => this.runs(type),
      askToWrite: async (type: string, { id }: EntityKey) => {
        this.done.push(`told ${type} ${id}`);
        return true;
      },
    };
    const store = {
      findSuspension: async () => undefined,
      settleSuspension: async () => undefined,
    };
    const dependencies = { reconciliation, store, now: () => NOW };
    return reconcile(dependencies, request, {
      goOn: () => undefined,
      found: ({ id }, finding, type) => this.done.push(`${type} ${id} ${finding}`),
      warn: (event) => assert.fail(event),
    });
  }

  private async *listed(range: TimeRange | string) {
    this.ranges.push(range);
    yield [...this.ends.keys()].map((id) => ({ id, space: 'team-b' }));
  }

  private async *runs(type: string) {
    if (type === 'approval') yield this.running.map((id) => ({ id, space: 'team-b' }));
  }
}

describe('reconciling approvals', () => {
  let here: Installation;
  beforeEach(() => {
    here = new Installation();
  });

  it('cancels one whose workflow is gone: its question first, then its log, its row last', async () => {
    here.views.set('a1', viewOf('a1'));
    here.ends.set('a1', { kind: 'gone' });
    assert.equal((await here.look()).lost, 1);
    assert.deepEqual(here.done, [
      'withdrew a1: approval_lost',
      'noted approval:a1:resolved in team-b',
      'wrote a1 in team-b: cancelled',
      'approval a1 lost',
    ]);
    assert.deepEqual(here.revisions, [LAST_REVISION]);
    const { resolution, suspension_id } = here.views.get('a1') ?? assert.fail();
    assert.deepEqual(resolution, {
      status: 'cancelled',
      by: 'system',
      approvers: [],
      resolved_at: NOW.toISOString(),
      proposal_hash: 'a'.repeat(64),
      reason: 'approval_lost',
    });
    assert.equal(suspension_id, null);
    const [note] = here.notes;
    assert.deepEqual(
      [note?.event_type, note?.principal, note?.at, note?.payload['reason']],
      ['approval_resolved', 'holdpoint', NOW.toISOString(), 'approval_lost'],
    );
  });

  it('tells governance too that a lost one was of an action', async () => {
    here.views.set('a1', viewOf('a1', { action: 'pay' }));
    here.ends.set('a1', { kind: 'gone' });
    await here.look();
    const [, decided] = here.notes;
    assert.equal(here.notes.length, 2);
    assert.deepEqual(
      [decided?.key, decided?.event_type, decided?.at],
      ['approval:a1:decided', 'governance.approval_denied', NOW.toISOString()],
    );
    const { action, status, by, decided_by } = decided?.payload ?? {};
    assert.deepEqual([action, status, by, decided_by], ['pay', 'denied', 'system', undefined]);
  });

  it('leaves nothing to pick up of one that is lost', async () => {
    const redemption = {
      checkpoint: { status: 'hibernated', token: 0 },
      request_hash: null,
      calls: [],
    } as const;
    here.views.set('a1', viewOf('a1', { redemption }));
    here.ends.set('a1', { kind: 'gone' });
    await here.look();
    assert.equal(here.views.get('a1')?.redemption?.redeemable_until, NOW.toISOString());
  });

  it('writes the decision that a workflow made and the store does not show', async () => {
    here.views.set('a1', viewOf('a1'));
    const approval = viewOf('a1', { status: 'approved' });
    here.ends.set('a1', { kind: 'decided', row: rowOf(approval) });
    assert.equal((await here.look()).written, 1);
    assert.deepEqual(here.views.get('a1'), approval);
    assert.deepEqual(here.notes, []);
  });

  it('leaves alone what goes on, and what is decided', async () => {
    here.views.set('a1', viewOf('a1', { status: 'rejected' }));
    here.ends.set('a1', { kind: 'gone' });
    here.views.set('a2', viewOf('a2'));
    here.ends.set('a2', undefined);
    const { written, lost, missing, unknown } = await here.look();
    assert.deepEqual([written, lost, missing, unknown, here.done], [0, 0, 0, 0, []]);
  });

  it('leaves what Temporal does not know as it is, unless it is told to cancel it', async () => {
    here.views.set('a1', viewOf('a1'));
    here.ends.set('a1', { kind: 'missing' });
    assert.equal((await here.look({ since: null })).missing, 1);
    assert.equal(here.views.get('a1')?.status, 'pending');
    assert.equal((await here.look({ since: null, cancel_missing: true })).lost, 1);
    assert.equal(here.views.get('a1')?.status, 'cancelled');
  });

  it('says nothing of one that is gone and that the store does not have', async () => {
    here.ends.set('a1', { kind: 'gone' });
    assert.equal((await here.look()).lost, 0);
    assert.deepEqual(here.done, []);
  });

  it('has an open one write that the store does not have', async () => {
    here.views.set('a1', viewOf('a1'));
    here.running.push('a1', 'a2');
    assert.equal((await here.look()).unknown, 1);
    assert.deepEqual(here.done, ['told approval a2', 'approval a2 unknown']);
  });

  it('looks at what has ended since the last look, and at first at all that wait', async () => {
    await here.look();
    await here.look({ since: null });
    assert.deepEqual(here.ranges, [{ from: '2026-03-24T09:54:00.000Z', to: UNTIL }, UNTIL]);
  });

  it('writes nothing for one of which the log could not be told', async () => {
    here.views.set('a1', viewOf('a1'));
    here.ends.set('a1', { kind: 'gone' });
    const { note } = here.approvals;
    Object.assign(here.approvals, { note: () => Promise.reject(new Error('away')) });
    const { failed = [] } = await here.look();
    assert.deepEqual(failed, [{ type: 'approval', id: 'a1', space: 'team-b' }]);
    assert.equal(here.done.at(-1), 'approval a1 failed');
    assert.equal(here.views.get('a1')?.status, 'pending');
    Object.assign(here.approvals, { note });
    assert.equal((await here.look()).lost, 1);
  });

  it('begins with one that failed in the last look, whenever it ended', async () => {
    here.views.set('a1', viewOf('a1'));
    here.ends.set('a1', { kind: 'gone' });
    Object.assign(here.approvals, {
      async *endedIn() {
        // It ended long ago.
      },
    });
    assert.equal((await here.look()).lost, 0);
    const again = [{ type: 'approval', id: 'a1', space: 'team-b' }] as const;
    assert.equal((await here.look({ since: SINCE, again })).lost, 1);
  });
});
