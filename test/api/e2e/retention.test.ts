import { ScheduleOverlapPolicy } from '@temporalio/client';
import { sql } from 'kysely';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Checkpoint } from '../../../contracts/log/checkpoint.js';
import { UPKEEP, workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import { checkWholeExport } from '../../../store/checked-export.js';
import { ensureRetention } from '../../../workers/ensure-upkeep.js';
import { lookUntil } from '../../support/looks.js';
import { exportedLines } from '../../support/exported-lines.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { settledInStore } from '../../support/stored-questions.js';

const DAYS = 30;

describe('retention', () => {
  let stack: RealStack;
  const warned: string[] = [];
  const log = { warn: (_fields: object, message: string) => warned.push(message) };
  before(async () => {
    stack = await RealStack.start({ retention: { settled_days: DAYS } }, onServer());
    await ensureRetention(stack.client, DAYS, log);
    await ensureRetention(stack.client, DAYS, log);
  });
  after(async () => {
    await ensureRetention(stack.client, undefined, log);
    await ensureRetention(stack.client, undefined, log);
    assert.deepEqual(warned, []);
    await stack.close();
  });

  /** Waits for the end of a workflow: from then on the store has all that the API does not write. */
  async function ended(type: WorkflowType, id: string): Promise<void> {
    await stack.client.workflow.getHandle(workflowIdOf(type, id)).result();
  }

  async function close(intent: string, status = 'completed'): Promise<void> {
    const ifMatch = { 'If-Match': String((await stack.get(intent)).body.version) };
    const closed = await stack.post(`${intent}/status`, 'agent', { status }, ifMatch);
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
  }

  /** Moves what the store has of intents, portfolios and questions into the past. */
  async function growOld(...ids: readonly string[]): Promise<void> {
    const { db } = stack.store;
    const shift = sql`interval '1 day' * ${DAYS + 1}`;
    const meant = sql`any (array[${sql.join(ids)}]::text[])`;
    for (const [table, column, id] of [
      ['intents', 'updated_at', 'id'],
      ['portfolios', 'created_at', 'id'],
      ['events', 'created_at', 'intent_id'],
      ['suspensions', 'settled_at', 'id'],
      ['suspension_timeline', 'at', 'suspension_id'],
    ] as const) {
      const at = sql.ref(column);
      await sql`
        update ${sql.table(table)} set ${at} = ${at} - ${shift}
        where ${sql.ref(id)} = ${meant}`.execute(db);
    }
  }

  /** Has the schedule run once, and waits for the end of what it starts. */
  async function triggered(): Promise<void> {
    const schedule = stack.client.schedule.getHandle(UPKEEP.retentionSchedule);
    const runs = async () => (await schedule.describe()).info;
    const { numActionsTaken: before } = await runs();
    await schedule.trigger(ScheduleOverlapPolicy.BUFFER_ONE);
    const workflowId = await lookUntil(async () => {
      const { numActionsTaken, recentActions } = await runs();
      return numActionsTaken > before && recentActions.at(-1)?.action.workflow.workflowId;
    }, 'the schedule starts nothing');
    await stack.client.workflow.getHandle(workflowId).result();
  }

  it('removes a closed intent by a schedule, signs that, and answers 404', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'Refund', status: 'active' };
    const created = await stack.post('/v1/intents', 'agent', body, key);
    const id = created.body.id as string;
    const intent = `/v1/intents/${id}`;
    const question = await ask(stack, intent);
    const answer = { suspension_id: question.id, value: 'approve' };
    assert.equal((await stack.post(`${intent}/suspend/respond`, 'operator', answer)).status, 200);
    const task = await stack.post('/v1/tasks', 'agent', { intent_id: id, name: 'one' });
    const dependent = await stack.post('/v1/intents', 'agent', {
      title: 'Tell the customer',
      status: 'active',
      depends_on: [id],
    });
    assert.equal(dependent.status, 201, JSON.stringify(dependent.body));
    await close(intent);
    await Promise.all([ended('intent', id), ended('suspension', question.id)]);
    await growOld(id, question.id);

    await triggered();
    assert.equal((await stack.get(intent)).status, 200, 'an open intent depends on it');
    await ended('task', task.body.id);
    await close(`/v1/intents/${dependent.body.id}`);
    await ended('intent', dependent.body.id);
    await triggered();

    for (const path of [
      intent,
      `${intent}/events`,
      `${intent}/events/verify`,
      `${intent}/events/export`,
      `${intent}/leases`,
      `${intent}/plans`,
      `/v1/tasks/${task.body.id}`,
      `/v1/suspensions/${question.id}`,
      `/v1/suspensions/${question.id}/timeline/verify`,
    ]) {
      const read = await stack.get(path, 'admin');
      assert.equal(read.status, 404, `${path}: ${JSON.stringify(read.body)}`);
    }
    const again = await stack.post('/v1/intents', 'agent', body, key);
    assert.deepEqual([again.status, again.body.code], [422, 'removed_by_retention']);
    const erased = await stack.delete(`${intent}/personal-data`, 'admin');
    assert.equal(erased.status, 404);

    const other = await createIntent(stack);
    await stack.get(`${other}/events/verify`);
    const { body: checkpoint } = await stack.post('/v1/log/checkpoints', 'admin', {});
    const lines = await exportedLines(stack, '/v1/log/export', 'admin');
    const report = await checkWholeExport(Readable.from(lines), checkpoint as Checkpoint);
    assert.deepEqual([report.faults, report.retired], [[], 2]);
  });

  it('asks nobody again under the request_key of a question that is gone', async () => {
    const body = { ...REFUND, request_key: randomUUID() };
    const first = await stack.post('/v1/suspensions', 'agent', body);
    const { id } = first.body as { id: string };
    await stack.post(`/v1/suspensions/${id}/respond`, 'operator', { value: 'deny' });
    await ended('suspension', id);
    await settledInStore(stack.store, id);
    await growOld(id);
    await triggered();
    const asked = stack.notified.length;
    const again = await stack.post('/v1/suspensions', 'agent', body);
    assert.deepEqual([again.status, again.body.code], [422, 'removed_by_retention']);
    assert.equal(stack.notified.length, asked);
    const anew = await stack.post('/v1/suspensions', 'agent', {
      ...body,
      request_key: randomUUID(),
    });
    assert.equal(anew.status, 201);
  });
});
