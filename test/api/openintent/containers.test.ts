import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { createRig, rigOver, sentIn, type Rig } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { INTENT, INTENT_ID, SUSPENSION_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';

const { task, plan } = EXAMPLES;
const TASK = `/api/v1/tasks/${task.id}`;
const PLAN = `/api/v1/plans/${plan.id}`;
const get = (rig: Rig, path: string) => rig.send('agent', 'get', path);
const send = (rig: Rig, method: 'post' | 'patch', path: string, body: object) =>
  rig.send('agent', method, path).set('X-Agent-ID', 'refunder').send(body);

describe('containers in the OpenIntent API', () => {
  it('lets a write set any status of a task', async () => {
    const rig = createRig();
    const body = { status: 'skipped', output: null, assigned_agent: null };
    const reply = await send(rig, 'patch', TASK, body).set('If-Match', '4');
    assert.equal(reply.status, 200);
    const { if_match, request, any_status } = sentIn(rig, 'patchTask');
    assert.equal(rig.sent[0]?.workflowId, `task-${task.id}`);
    assert.deepEqual([if_match, request, any_status], [4, { status: 'skipped' }, true]);
  });

  it('demands If-Match of tasks and plans with 428', async () => {
    const rig = createRig();
    const detail = { detail: 'If-Match header required', code: 'precondition_required' };
    for (const [path, body] of [
      [TASK, { status: 'running' }],
      [PLAN, { state: 'active' }],
    ] as const) {
      const reply = await send(rig, 'patch', path, body);
      assert.deepEqual([reply.status, reply.body], [428, detail]);
    }
    assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
  });

  it('refuses a page that its entries make too large, and names the limit that fits', async () => {
    const short = { rows: [task], more: true, whole: true as const };
    const rig = rigOver({ store: { listTasks: () => Promise.resolve(short) } });
    const path = `/api/v1/intents/${INTENT_ID}/tasks`;
    const refused = await get(rig, `${path}?limit=5`);
    assert.deepEqual([refused.status, refused.body.code], [400, 'page_too_large']);
    assert.match(JSON.stringify(refused.body), /at most 1/);
    assert.equal((await get(rig, `${path}?limit=1`)).status, 200);
  });

  it('shows a question that a deadline ended as cancelled [R26-28]', async () => {
    const ended = { id: SUSPENSION_ID, resolution: 'expired', settled_by: 'clock' };
    const shown = async (_suspension: JsonObject): Promise<unknown> => {
      const intent = { ...INTENT, state: { _suspension } };
      const rig = rigOver({ answers: knowingIntent(intent) });
      return (await rig.send('operator', 'get', `/api/v1/intents/${INTENT_ID}`)).body.state;
    };
    const reason = 'portfolio_deadline';
    assert.deepEqual(await shown({ ...ended, reason }), {
      _suspension: { ...ended, reason, resolution: 'cancelled' },
    });
    assert.deepEqual(await shown(ended), { _suspension: ended });
  });

  it('finds nothing under an id that is none', async () => {
    const rig = createRig();
    for (const name of ['Task', 'Plan', 'Portfolio', 'Coordinator']) {
      const thing = name.toLowerCase();
      const reply = await get(rig, `/api/v1/${thing}s/nothing`);
      const body = { detail: `${name} not found`, code: `${thing}_not_found` };
      assert.deepEqual([reply.status, reply.body], [404, body]);
    }
  });
});
