import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Finding } from '../../../activities/types.js';
import { TASK_QUEUE, workflowIdOf } from '../../../contracts/constants/names.js';
import { storedQuestions } from '../../../workers/reconciliation.js';
import { suspendRequestSchema } from '../../../contracts/suspension/requests.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { granted } from '../../domain/samples.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { askerAttributes } from '../../../workflows/engine/search-attributes.js';
import {
  respondUpdate,
  type OperatorAnswer,
  type SuspensionInput,
} from '../../../workflows/suspension/messages.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { caller, sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { lookFrom } from '../../support/reconciler-look.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { RunEvent } from '../../../contracts/intent/event.js';
import { inSpace } from '../../../store/in-space.js';
import { findApproval } from '../../../store/queries/approval.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { WRITERS } from '../../../workflows/engine/row-duty.js';

describe('a store that misses how questions ended', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  async function look(since: string | null): Promise<ReadonlyMap<string, Finding>> {
    const findings = new Map<string, Finding>();
    await lookFrom(stack, since, ({ id }, finding) => findings.set(id, finding));
    return findings;
  }

  async function asked(): Promise<string> {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const { id } = body as { id: string };
    await lookUntil(async () => (await stored(id)) !== undefined, 'the question is not stored');
    return id;
  }

  async function stored(id: string) {
    return storedQuestions(stack.store.db).findSuspension(id, 'default');
  }

  function workflowOf(id: string) {
    return stack.client.workflow.getHandle<typeof suspension>(workflowIdOf('suspension', id));
  }

  /** Answers as an API does that dies once Temporal has the answer. */
  async function answeredAndDied(id: string, key: string): Promise<void> {
    const body = { suspension_id: id, value: 'approve', responded_by: 'alice' };
    const answer = { key, body_hash: hashJson(body) };
    const args = { value: 'approve', responded_by: 'alice', by: caller('alice', 'operator') };
    const received_at = new Date().toISOString();
    const sent: OperatorAnswer = { ...args, received_at, answer };
    // While a delivery is under way the question writes its rows by itself.
    await stack.delivered(id);
    await workflowOf(id).executeUpdate(respondUpdate, { args: [sent], updateId: key });
    const { rows } = await workflowOf(id).result();
    assert.notDeepEqual(rows, []);
    assert.notEqual((await stored(id))?.state, 'settled');
  }

  it('gets the rows of an answer: API killed after the commit, before the store write', async () => {
    const id = await asked();
    await answeredAndDied(id, 'a:1');
    await look(null);
    const { state, record, timeline } = (await stored(id)) ?? assert.fail();
    assert.deepEqual([state, record.response], ['settled', 'approve']);
    assert.deepEqual(
      timeline.map(({ kind }) => kind).filter((kind) => !kind.startsWith('deliver')),
      ['opened', 'attempt', 'answer_accepted'],
    );
    const verified = await stack.get(`/v1/suspensions/${id}/timeline/verify`, 'admin');
    assert.equal(verified.body.chain_valid, true, JSON.stringify(verified.body));
  });

  /** Asks as an API does that dies once Temporal has the question. */
  async function askedAndDied(asker: Partial<SuspensionInput> = {}): Promise<string> {
    const id = randomUUID();
    const request = suspendRequestSchema.parse(REFUND);
    const { draft } = granted(resolveQuestion(request, null, { contextBytes: 65_536 }));
    const opened = openRecord(draft, id, new Date().toISOString());
    const nobody = { intent_id: null, subject_workflow_id: null, asked_by: 'agent-1' };
    const leaves = { writers: WRITERS.api };
    const input = { ...nobody, ...opened, ...leaves, ...asker };
    await stack.client.workflow.start<typeof suspension>('suspension', {
      workflowId: workflowIdOf('suspension', id),
      taskQueue: TASK_QUEUE,
      args: [input],
      typedSearchAttributes: askerAttributes(input),
    });
    return id;
  }

  it('gets the opening of a question: API killed after the commit, before the store write', async () => {
    const since = new Date().toISOString();
    for (const from of [since, null]) {
      const id = await askedAndDied();
      await lookUntil(async () => (await look(from)).get(id) === 'unknown', 'it is not listed');
      await lookUntil(async () => (await stored(id))?.state === 'pending', 'it is not written');
      assert.equal((await look(from)).get(id), undefined);
    }
  });

  /** What the store has of an intent: its newest event, or nothing. */
  async function storedEvent(intentId: string): Promise<string | undefined> {
    const newest = await stack.store.db
      .selectFrom('events')
      .select('event_type')
      .where('intent_id', '=', intentId)
      .orderBy('sequence', 'desc')
      .executeTakeFirst();
    return newest?.event_type;
  }

  it('gets what intents left: API killed after the commit, before the store write', async () => {
    const since = new Date().toISOString();
    const created_at = since;
    const id = randomUUID();
    const named = { id, created_by: 'agent-1', owner: 'agent-1', created_at };
    const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const handle = await stack.client.workflow.start<typeof intent>('intent', {
      workflowId: workflowIdOf('intent', id),
      taskQueue: TASK_QUEUE,
      args: [{ intent: newIntent(request, named), sender_writes: true }],
    });
    const repaired = async (event: string) => {
      await lookUntil(async () => {
        await look(since);
        return (await storedEvent(id)) === event;
      }, `${event} is not written`);
    };
    await repaired('intent_created');
    const asking = suspendRequestSchema.parse(REFUND);
    const { draft } = granted(resolveQuestion(asking, null, { contextBytes: 65_536 }));
    const { suspension_id } = await handle.executeUpdate(suspendUpdate, {
      args: [{ ...sent('agent-1'), draft, sender_writes: true }],
    });
    assert.equal(await storedEvent(id), 'intent_created');
    await repaired('intent.suspended');
    await stack.delivered(suspension_id);
    const answer = { key: 'a:left', body_hash: hashJson({}) };
    const operator = { responded_by: 'alice', by: caller('alice', 'operator') };
    const answered = { value: 'approve', ...operator, answer, received_at: created_at };
    await workflowOf(suspension_id).executeUpdate(respondUpdate, {
      args: [{ ...answered, sender_writes: true }],
    });
    await repaired('intent.resumed');
    const { body } = await stack.get(`/v1/intents/${id}/events/verify`, 'admin');
    assert.equal(body.chain_valid, true, JSON.stringify(body));
  });

  it('has a question cancelled, of an intent too: child terminated', async () => {
    const id = await asked();
    const intent = await createIntent(stack);
    const other = await ask(stack, intent);
    const still = await asked();
    const isAsked = async () => (await stored(other.id)) !== undefined;
    await lookUntil(isAsked, 'the question of the intent is not stored');
    for (const one of [id, other.id]) await workflowOf(one).terminate();
    await look(null);
    for (const one of [id, other.id]) {
      const { record } = (await stored(one)) ?? assert.fail();
      assert.deepEqual([record.resolution, record.reason], ['cancelled', 'suspension_lost'], one);
    }
    assert.equal((await stored(still))?.state, 'pending');
    const isOver = async () => (await stack.get(intent)).body.status !== 'suspended_awaiting_input';
    await lookUntil(isOver, 'the intent waits on');
  });

  describe('of approvals', () => {
    /** An approval that waits for an operator, and is stored with its question. */
    async function opened(): Promise<ApprovalView> {
      const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 5 } }];
      const body = { run_id: `run ${randomUUID()}`, calls };
      const reply = await stack.post('/v1/approvals', 'agent', body);
      assert.equal(reply.status, 202, JSON.stringify(reply.body));
      return lookUntil(async () => {
        const found = await storedApproval(reply.body.request_id as string);
        const question = found?.suspension_id;
        if (!question || !(await stored(question))) return undefined;
        await stack.delivered(question);
        return found;
      }, 'the approval is not stored');
    }
    const storedApproval = (id: string) => findApproval(inSpace(stack.store.db, 'default'), id);
    const approvalOf = (id: string) =>
      stack.client.workflow.getHandle(workflowIdOf('approval', id));

    it('cancels one whose workflow was terminated, with its question, and its log says so', async () => {
      const { approval_id, suspension_id, proposal } = await opened();
      await approvalOf(approval_id).terminate();
      assert.equal((await look(null)).get(approval_id), 'lost');
      const { body } = await stack.get(`/v1/approvals/${approval_id}`, 'operator');
      const { status, resolution } = body as ApprovalView;
      assert.deepEqual(
        [status, resolution?.by, resolution?.reason],
        ['cancelled', 'system', 'approval_lost'],
      );
      await workflowOf(suspension_id ?? '').result();
      assert.equal((await look(null)).get(suspension_id ?? ''), 'written');
      const question = await stored(suspension_id ?? '');
      assert.equal(question?.record.resolution, 'cancelled');
      const log = `/v1/runs/${encodeURIComponent(proposal.run_id)}/events`;
      const events = (await stack.get(log, 'operator')).body.events as RunEvent[];
      assert.equal(events[0]?.event_type, 'approval_resolved');
      assert.equal(events[0].payload['reason'], 'approval_lost');
      assert.equal((await stack.get(`${log}/verify`, 'operator')).body.chain_valid, true);
      const late = await stack.post(`/v1/approvals/${approval_id}/redeem`, 'agent', {
        holder: 'p',
      });
      assert.deepEqual([late.status, late.body.code], [409, 'approval_decided']);
      assert.equal((await look(null)).get(approval_id), undefined);
    });
  });
});
