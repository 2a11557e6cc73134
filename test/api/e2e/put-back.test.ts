import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Finding } from '../../../activities/types.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentEvent, ChainBreak } from '../../../contracts/intent/event.js';
import { storedQuestions } from '../../../workers/reconciliation.js';
import { expireNowSignal } from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { lookUntil } from '../../support/looks.js';
import { lookFrom } from '../../support/reconciler-look.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { settledInStore } from '../../support/stored-questions.js';

/** Signals and Updates: without this, Temporal applies those again that came after the point of the reset. */
const NOT_APPLIED_AGAIN = [1, 2];

type Event = Record<string, unknown> & { readonly eventId?: { toString(): string } | null };

describe('a Temporal that was put back behind the store', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  /** Resets a workflow to before the end of its first task that comes after an event with a field. */
  async function putBack(workflowId: string, after: string): Promise<void> {
    const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
    const all = (events ?? []) as unknown as readonly Event[];
    const from = all.findIndex((event) => event[after]);
    const task = all.slice(from).find((event) => event['workflowTaskCompletedEventAttributes']);
    assert.ok(from >= 0 && task, `${workflowId} has no task after ${after}`);
    await stack.client.workflowService.resetWorkflowExecution({
      namespace: stack.client.options.namespace,
      workflowExecution: { workflowId },
      reason: 'a test',
      workflowTaskFinishEventId: task.eventId as never,
      requestId: randomUUID(),
      resetReapplyExcludeTypes: NOT_APPLIED_AGAIN,
    });
  }

  /** What one look finds of each question, and who asked it. */
  async function look(): Promise<ReadonlyMap<string, readonly [Finding, string | undefined]>> {
    const findings = new Map<string, readonly [Finding, string | undefined]>();
    await lookFrom(stack, new Date().toISOString(), ({ id, asked_by }, finding) =>
      findings.set(id, [finding, asked_by ?? undefined]),
    );
    return findings;
  }

  function workflowOf(id: string) {
    return stack.client.workflow.getHandle<typeof suspension>(workflowIdOf('suspension', id));
  }

  const storedOf = async (id: string) =>
    (await storedQuestions(stack.store.db).findSuspension(id, 'default')) ?? assert.fail();

  /** A question that was answered, with the end in the store; its workflow has forgotten the answer. */
  async function forgotten(path: string, id: string): Promise<void> {
    await stack.delivered(id);
    const named = path.startsWith('/v1/intents') && { suspension_id: id };
    const body = { ...named, value: 'approve' };
    const answered = await stack.post(`${path}/respond`, 'operator', body);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    await settledInStore(stack.store, id);
    await putBack(workflowIdOf('suspension', id), 'workflowExecutionStartedEventAttributes');
  }

  async function ofNobody(): Promise<string> {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const id = String(body.id);
    await forgotten(`/v1/suspensions/${id}`, id);
    return id;
  }

  /** Looks until a question is found, because Temporal lists a workflow some time after it was put back. */
  async function foundOf(id: string) {
    return lookUntil(async () => (await look()).get(id), `${id} is not found`);
  }

  it('gets the stored answer again, which stays as it was', async () => {
    const id = await ofNobody();
    const before = await storedOf(id);
    const [finding] = await foundOf(id);
    assert.equal(finding, 'handed_in');
    const { response, responded_by, settled_at } = await workflowOf(id).result();
    const { record } = before;
    assert.deepEqual(
      [response, responded_by, settled_at],
      ['approve', record.responded_by, record.settled_at],
    );
    await lookUntil(async () => !(await look()).has(id), 'it is found for ever');
    const { timeline, ...now } = await storedOf(id);
    const { timeline: _before, ...stored } = before;
    assert.deepEqual(now, stored);
    assert.equal(timeline.filter(({ kind }) => kind === 'answer_accepted').length, 1);
    const again = await stack.post(`/v1/suspensions/${id}/respond`, 'operator', { value: 'deny' });
    assert.equal(again.body.code, 'suspension_settled', JSON.stringify(again.body));
  });

  for (const [what, isLost] of [
    ['lost', true],
    ['kept', false],
  ] as const) {
    it(`has its intent go on with it once: the result ${what} there`, async () => {
      const intent = await createIntent(stack);
      const { id } = await ask(stack, intent);
      const workflowId = workflowIdOf('intent', intent.split('/').at(-1) ?? '');
      await forgotten(`${intent}/suspend`, id);
      if (isLost) await putBack(workflowId, 'childWorkflowExecutionStartedEventAttributes');
      assert.equal((await foundOf(id))[0], 'handed_in');
      assert.equal((await workflowOf(id).result()).response, 'approve');
      const state = await lookUntil(async () => {
        const { body } = await stack.get(intent);
        return body.status === 'active' && (body.state as Record<string, unknown>);
      }, 'the intent waits on');
      const asked = state['_suspension'] as Record<string, unknown>;
      assert.deepEqual([asked['id'], asked['response']], [id, 'approve']);
      const { body } = await stack.get(`${intent}/events`);
      const ends = (body.events as IntentEvent[]).filter(
        ({ event_type }) => event_type === 'intent.resumed',
      );
      assert.equal(ends.length, 1, JSON.stringify(body));
    });
  }

  it('keeps the stored answer where its fallback came first, and names who went on with that', async () => {
    const id = await ofNobody();
    const before = await storedOf(id);
    const deadline = { portfolio_id: 'p1', deadline: new Date().toISOString() };
    await workflowOf(id).signal(expireNowSignal, deadline);
    assert.equal((await workflowOf(id).result()).resolution, 'expired');
    const isRefused = async () => {
      const rows = await stack.store.db
        .selectFrom('journal_quarantine')
        .select('reason')
        .where('suspension_id', '=', id)
        .execute();
      return rows.some(({ reason }) => reason === 'outcome_replaced');
    };
    await lookUntil(isRefused, 'the other outcome is not refused');
    assert.deepEqual(await foundOf(id), ['contradicted', before.asked_by]);
    assert.deepEqual((await storedOf(id)).record, before.record);
  });

  /** Resets the workflow to its beginning, as `temporal workflow reset` does. */
  async function reset(workflowId: string): Promise<void> {
    const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
    assert.ok(first?.eventId);
    await stack.client.workflowService.resetWorkflowExecution({
      namespace: stack.client.options.namespace,
      workflowExecution: { workflowId },
      reason: 'a test',
      workflowTaskFinishEventId: first.eventId,
      requestId: randomUUID(),
    });
  }

  it('has an intent write on, end, and not hide what the store refused', async () => {
    const intent = await createIntent(stack);
    const id = intent.replace('/v1/intents/', '');
    const note = (text: string) =>
      stack.post(`${intent}/events`, 'agent', { event_type: 'note', payload: { text } });
    await note('before');
    await reset(workflowIdOf('intent', id));
    await note('after');
    await note('after that');
    const done = { status: 'completed' };
    const ended = await stack.post(`${intent}/status`, 'agent', done, { 'If-Match': '1' });
    assert.equal(ended.status, 200, JSON.stringify(ended.body));
    await stack.client.workflow.getHandle(workflowIdOf('intent', id)).result();

    const report = await stack.get(`${intent}/events/verify`);
    assert.equal(report.body.chain_valid, false);
    const refused = (report.body.breaks as ChainBreak[]).filter(({ kind }) => kind === 'refused');
    assert.ok(refused.length > 0, JSON.stringify(report.body));
    assert.equal((await stack.get(intent)).body.status, 'completed');
  });
});
