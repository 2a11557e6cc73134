import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { sql } from 'kysely';
import { startServer } from '../../../api/server.js';
import type { RunningServer } from '../../../api/server.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { ApprovalAsk } from '../../../contracts/approval/opening.js';
import type { RunEvent } from '../../../contracts/intent/run-event.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { TASK_QUEUE, workflowIdOf } from '../../../contracts/constants/names.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import type { approval } from '../../../workflows/approval/workflow.js';
import { granted } from '../../domain/samples.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack, createIntent } from '../../support/real-stack.js';
import { openSse } from '../../support/subscribers.js';

describe('an approval over HTTP', () => {
  let stack: RealStack;
  let server: RunningServer;
  before(async () => {
    stack = await RealStack.start();
    server = await startServer({ app: stack.app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await stack.close();
  });

  /** An approval of one wire that has asked its question. */
  async function open(intent_id: string | null = null): Promise<ApprovalView> {
    const ask: ApprovalAsk = {
      approval_id: randomUUID(),
      kind: 'tool_approval',
      run_id: `run ${randomUUID()}`,
      turn_index: 0,
      agent: 'bot',
      on_behalf_of: 'ursula',
      calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 500 } }],
      visible_context: {},
    };
    const opening = granted(openingOf(ask, approvalsConfigSchema.parse({})));
    const asked = { asked_by: 'agent-1', asked_at: new Date().toISOString(), intent_id };
    await stack.client.workflow.start<typeof approval>('approval', {
      workflowId: workflowIdOf('approval', ask.approval_id),
      taskQueue: TASK_QUEUE,
      args: [{ ...opening, ...asked }],
    });
    const view = await lookUntil(async () => {
      const { body } = await stack.get(`/v1/approvals/${ask.approval_id}`);
      const view = body as ApprovalView;
      if (!view.suspension_id) return undefined;
      const question = await stack.get(`/v1/suspensions/${view.suspension_id}`);
      if (question.status !== 200) return undefined;
      await stack.delivered(view.suspension_id);
      return view;
    }, 'the approval has not asked');
    const isListed = async () => (await idsIn(view, 'pending')).length > 0;
    await lookUntil(isListed, 'the approval is not stored');
    return view;
  }

  /** The approvals of a run that a person sees in a list. */
  async function idsIn({ proposal }: ApprovalView, status: string): Promise<readonly string[]> {
    const query = `run_id=${encodeURIComponent(proposal.run_id)}&status=${status}`;
    const page = `/v1/approvals?${query}`;
    const { approvals } = await readFresh<{ approvals: ApprovalView[] }>(stack, page, 'operator');
    return approvals.map(({ approval_id }) => approval_id);
  }

  /** The types of the events of approvals in a log, newest first. */
  async function typesIn(log: string): Promise<readonly string[]> {
    const { events } = await readFresh<{ events: RunEvent[] }>(stack, log, 'operator');
    const types = events.map(({ event_type }) => event_type);
    return types.filter((type) => type.startsWith('approval_'));
  }

  function decide(
    { suspension_id, proposal_hash }: ApprovalView,
    key: 'operator' | 'admin',
    value: string,
  ) {
    return stack.post(`/v1/suspensions/${suspension_id}/respond`, key, { value, proposal_hash });
  }

  it('is decided by one of two surfaces, and the other is told [A54-17]', async () => {
    const view = await open();
    const waited = stack.get(`/v1/approvals/${view.approval_id}/wait?timeout_seconds=20`);
    const replies = await Promise.all([
      decide(view, 'operator', 'approved'),
      decide(view, 'admin', 'rejected'),
    ]);
    const won = replies.findIndex(({ status }) => status === 200);
    const lost = replies[1 - won];
    assert.deepEqual([lost?.status, lost?.body.code], [409, 'suspension_settled']);
    const decided = (await waited).body as ApprovalView;
    assert.equal(decided.status, won === 0 ? 'approved' : 'rejected');
    assert.equal(lost?.body.state.responded_by, decided.resolution?.respondent);
  });

  it('is in the log of its run, which is checked and shown [A54-12] [A54-21]', async () => {
    const view = await open();
    await decide(view, 'operator', 'approved');
    await stack.get(`/v1/approvals/${view.approval_id}/wait?timeout_seconds=20`);
    await stack.client.workflow.getHandle(workflowIdOf('approval', view.approval_id)).result();
    const log = `/v1/runs/${encodeURIComponent(view.proposal.run_id)}/events`;
    const { body: page } = await stack.get(log, 'operator');
    const types = (page.events as { event_type: string }[]).map(({ event_type }) => event_type);
    assert.deepEqual(types, ['approval_resolved', 'approval_vote', 'approval_requested']);
    const { body: report } = await stack.get(`${log}/verify`, 'operator');
    assert.deepEqual([report.chain_valid, report.event_count], [true, 3]);
    await sql`
      update run_events set payload = jsonb_set(payload, '{approver}', '"mallory"')
      where event_type = 'approval_resolved' and run_id = ${view.proposal.run_id}`.execute(
      stack.store.db,
    );
    const { body: broken } = await stack.get(`${log}/verify`, 'operator');
    assert.deepEqual([broken.chain_valid, broken.breaks[0].kind], [false, 'changed']);
    await sql`
      delete from run_events
      where event_type = 'approval_resolved' and run_id = ${view.proposal.run_id}`.execute(
      stack.store.db,
    );
    const { body: cut } = await stack.get(`${log}/verify`, 'operator');
    assert.deepEqual(
      [cut.chain_valid, cut.breaks.length, cut.breaks[0].kind],
      [false, 1, 'missing'],
    );
  });

  it('is seen live without an intent, by who comes before it and who comes after', async () => {
    const types = ['approval_requested', 'approval_vote', 'approval_resolved'];
    const early = await openSse(`${server.url}/v1/subscribe`, KEYS.operator.key);
    const view = await open();
    const run = `/v1/runs/${encodeURIComponent(view.proposal.run_id)}/subscribe`;
    const late = await openSse(`${server.url}${run}?last_event_id=0`, KEYS.operator.key);
    await decide(view, 'operator', 'approved');
    await Promise.all([early.until(3), late.until(3)]);
    for (const { frames, reply } of [early, late]) {
      assert.deepEqual(
        frames.map(({ event }) => event),
        types,
      );
      reply.destroy();
    }
    assert.deepEqual(early.frames, late.frames);
  });

  it('is in the list as it was opened, decided and withdrawn, as soon as that is answered', async () => {
    const [decided, withdrawn] = [await open(), await open()];
    assert.deepEqual(await idsIn(decided, 'pending'), [decided.approval_id]);
    const { status } = await decide(decided, 'operator', 'approved');
    assert.equal(status, 200);
    assert.deepEqual(await idsIn(decided, 'pending'), []);
    assert.deepEqual(await idsIn(decided, 'approved'), [decided.approval_id]);
    await stack.post(`/v1/approvals/${withdrawn.approval_id}/withdraw`, 'agent', {});
    assert.deepEqual(await idsIn(withdrawn, 'cancelled'), [withdrawn.approval_id]);
  });

  it('is in the log of its intent, once each', async () => {
    const path = await createIntent(stack);
    const intentId = path.slice(path.lastIndexOf('/') + 1);
    const view = await open(intentId);
    await decide(view, 'operator', 'approved');
    await stack.client.workflow.getHandle(workflowIdOf('approval', view.approval_id)).result();
    const about = ['approval_resolved', 'approval_vote', 'approval_requested'];
    assert.deepEqual(await typesIn(`${path}/events`), about);
  });

  it('runs nothing if the stored proposal was changed [A54-31] [A54-32]', async () => {
    const view = await open();
    const tamper = sql`
      update approvals set proposed = jsonb_set(proposed, '{calls,0,arguments,amount}', '9999')
      where id = ${view.approval_id} returning id`;
    const isStored = async () => (await tamper.execute(stack.store.db)).rows.length === 1;
    await lookUntil(isStored, 'the approval is not in the store');
    await decide(view, 'operator', 'approved');
    const waited = await stack.get(`/v1/approvals/${view.approval_id}/wait?timeout_seconds=20`);
    assert.equal(waited.body.status, 'failed', waited.text);
    assert.equal(waited.body.resolution.code, 'proposal_mutation_detected');
  });

  it('runs nothing if the question shows another proposal [A54-31] [A54-32]', async () => {
    const view = await open();
    const tamper = sql`
      update suspensions
      set record = jsonb_set(record, '{approval,proposal,calls,0,arguments,amount}', '9999')
      where id = ${view.suspension_id} returning id`;
    const isStored = async () => (await tamper.execute(stack.store.db)).rows.length === 1;
    await lookUntil(isStored, 'the question is not in the store');
    await decide(view, 'operator', 'approved');
    const waited = await stack.get(`/v1/approvals/${view.approval_id}/wait?timeout_seconds=20`);
    assert.equal(waited.body.resolution.code, 'proposal_mutation_detected');
  });

  it('is in the log of its run from the end of its intent on [A54-21]', async () => {
    const path = await createIntent(stack);
    const intentId = path.slice(path.lastIndexOf('/') + 1);
    const view = await open(intentId);
    const isNoted = async () => (await typesIn(`${path}/events`)).length > 0;
    await lookUntil(isNoted, 'the intent has not heard of the approval');
    const { version } = (await stack.get(path)).body as { version: number };
    const closed = await stack.post(
      `${path}/status`,
      'agent',
      { status: 'completed' },
      { 'If-Match': String(version) },
    );
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const late = await decide(view, 'operator', 'approved');
    assert.deepEqual([late.status, late.body.code], [409, 'suspension_settled']);
    await stack.client.workflow.getHandle(workflowIdOf('approval', view.approval_id)).result();
    assert.deepEqual(await typesIn(`${path}/events`), ['approval_requested']);
    const log = `/v1/runs/${encodeURIComponent(view.proposal.run_id)}/events`;
    assert.deepEqual(await typesIn(log), ['approval_resolved']);
    const { body } = await stack.get(log, 'operator');
    const { intent_id, reason } = body.events[0].payload;
    assert.deepEqual([intent_id, reason], [intentId, 'intent_completed']);
    assert.equal((await stack.get(`${log}/verify`, 'operator')).body.chain_valid, true);
  });

  it('is withdrawn by who asked, and by no other agent', async () => {
    const view = await open();
    const path = `/v1/approvals/${view.approval_id}`;
    const foreign = await stack.post(`${path}/withdraw`, 'agent2', {});
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    const own = await stack.post(`${path}/withdraw`, 'agent', { reason: 'not needed' });
    assert.deepEqual([own.status, own.body.status], [200, 'cancelled'], JSON.stringify(own.body));
    const late = await decide(view, 'operator', 'approved');
    assert.equal(late.status, 409);
    await stack.client.workflow.getHandle(workflowIdOf('approval', view.approval_id)).result();
    const again = await stack.post(`${path}/withdraw`, 'agent', {});
    assert.deepEqual([again.status, again.body.code], [409, 'approval_decided']);
    assert.equal(again.body.state.status, 'cancelled');
  });

  it('is seen by people and who asked, and in no other space', async () => {
    const view = await open();
    const path = `/v1/approvals/${view.approval_id}`;
    const foreign = await stack.get(path, 'agent2');
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    assert.equal((await stack.get(path, 'peopleB')).status, 404);
    const listed = async (key: 'agent' | 'agent2' | 'operator' | 'peopleB') => {
      const page = `/v1/approvals?run_id=${view.proposal.run_id}`;
      const { approvals } = await readFresh<{ approvals: ApprovalView[] }>(stack, page, key);
      return approvals.map(({ approval_id }) => approval_id);
    };
    assert.deepEqual(await listed('operator'), [view.approval_id]);
    assert.deepEqual(await listed('agent'), [view.approval_id]);
    assert.deepEqual(await listed('agent2'), []);
    assert.deepEqual(await listed('peopleB'), []);
    await stack.post(`${path}/withdraw`, 'admin', {});
  });
});
