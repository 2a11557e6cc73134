import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack } from '../../support/real-stack.js';

interface Event {
  readonly event_type: string;
  readonly payload: { readonly warnings?: readonly string[] };
}

const REGION = {
  question: 'Where to?',
  response_type: 'choice',
  choices: ['eu', 'us'].map((value) => ({ value, label: value })),
};
const MARS = 'No person could answer with the fallback value "mars".';

describe('a question that nobody could answer as it is meant', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  const view = async (id: string): Promise<SuspensionView> =>
    (await stack.get(`/v1/suspensions/${id}`).expect(200)).body as SuspensionView;

  it('is asked with a warning, which whoever reads it sees, where it is only unusual', async () => {
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'mars' };
    const asked = await stack.post('/v1/suspensions', 'agent', {
      ...REGION,
      ...fallback,
      timeout_seconds: 600,
    });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    assert.deepEqual(asked.body.warnings, [MARS]);
    const { warnings, timeline } = await view(asked.body.id);
    assert.deepEqual(warnings, [MARS]);
    assert.deepEqual(timeline[0]?.detail['warnings'], [MARS]);
  });

  it('is refused where it names somebody whom nobody knows, at first and on a later rung', async () => {
    const eligible = { principals: ['alicia'] };
    const rung = { attempt: 2, channel_hint: 'console', eligible };
    const retry_policy = { max_attempts: 2, interval_seconds: 60, escalation_ladder: [rung] };
    for (const named of [{ decision_rule: { eligible } }, { retry_policy }]) {
      const refused = await stack.post('/v1/suspensions', 'agent', { ...REGION, ...named });
      assert.deepEqual([refused.status, refused.body.code], [422, 'unknown_principal']);
    }
    const { body } = await stack.post('/v1/suspensions', 'agent', REGION);
    const at = `/v1/suspensions/${String(body.id)}/eligibility`;
    const changed = await stack.put(at, 'admin', { eligible });
    assert.deepEqual([changed.status, changed.body.code], [422, 'unknown_principal']);
    assert.match(changed.body.detail, /Did you mean alice\?$/);
    assert.equal(
      (await stack.put(at, 'admin', { eligible: { principals: ['alice'] } })).status,
      200,
    );
  });

  it('is passed on to an unknown name with a warning that says who was meant', async () => {
    const { body } = await stack.post('/v1/suspensions', 'agent', REGION);
    const to = { to: 'gretta', reason: 'She knows.' };
    const passed = await stack.post(`/v1/suspensions/${String(body.id)}/delegate`, 'operator', to);
    assert.equal(passed.status, 200);
    assert.match(passed.body.warnings?.[0], /gretta answer\. Did you mean greta\?$/);
    assert.deepEqual((await view(body.id)).warnings, passed.body.warnings);
  });

  it('is no checkpoint that nobody could approve, but over the OpenIntent API, which marks it', async () => {
    const agent = { 'X-Agent-ID': 'agent-1' };
    const created = await stack.post('/api/v1/intents', 'agent', { title: 'Planned' }, agent);
    const intent_id = String(created.body.id);
    const task = { intent_id, name: 'build' };
    const { body: made } = await stack.post('/v1/tasks', 'agent', task);
    const tasks = [String(made.id)];
    const checkpoints = [{ after_task: made.id, approvers: ['alice', 'alicia'] }];
    const plan = { intent_id, tasks, checkpoints };
    const refused = await stack.post('/v1/plans', 'agent', plan);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.field],
      [422, 'unknown_principal', 'checkpoints[0].approvers[1]'],
    );
    const taken = await stack.post('/api/v1/plans', 'agent', plan, agent);
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    const { warnings } = taken.body.checkpoints[0];
    assert.deepEqual(warnings, [
      'No key and no entry of the directory lets the principal alicia answer.',
    ]);
    const at = `/v1/plans/${String(taken.body.id)}`;
    const changed = await stack.patch(at, 'agent', { checkpoints }, { 'If-Match': '1' });
    assert.deepEqual([changed.status, changed.body.code], [422, 'unknown_principal']);
  });

  it('opens over the OpenIntent API, marked in the question and in the log', async () => {
    const agent = { 'X-Agent-ID': 'agent-1' };
    const created = await stack.post('/api/v1/intents', 'agent', { title: 'Turned' }, agent);
    const intent = String(created.body.id);
    const suspension = {
      id: randomUUID(),
      question: 'Go?',
      response_type: 'confirm',
      choices: [
        { value: 'yes', label: 'No' },
        { value: 'no', label: 'Yes' },
      ],
      decision_rule: { eligible: { principals: ['nobody-here'] } },
    };
    const write = (path: string, body: object, version: number) =>
      stack.post(`/api/v1/intents/${intent}/${path}`, 'agent', body, {
        ...agent,
        'If-Match': String(version),
      });
    const state = { patches: [{ op: 'set', path: '/_suspension', value: suspension }] };
    await write('state', state, created.body.version).expect(200);
    const status = { status: 'suspended_awaiting_input' };
    await write('status', status, Number(created.body.version) + 1).expect(200);
    const { warnings } = await view(suspension.id);
    assert.deepEqual(warnings, [
      'The label of yes says the opposite: No.',
      'No key and no entry of the directory lets the principal nobody-here answer.',
    ]);
    const log = `/v1/intents/${intent}/events?limit=100`;
    const { events } = await readFresh<{ events: readonly Event[] }>(stack, log);
    const suspended = events.find(({ event_type }) => event_type === 'intent.suspended');
    assert.deepEqual(suspended?.payload.warnings, warnings);
  });
});
