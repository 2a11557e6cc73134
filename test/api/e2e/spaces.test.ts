import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { spaceOfWorkflow, workflowIdOf } from '../../../contracts/constants/names.js';
import { startServer } from '../../../api/server.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, REFUND, RealStack, type KeyName } from '../../support/real-stack.js';
import { openSse, startReceiver } from '../../support/subscribers.js';

const SPACE_ATTRIBUTE = defineSearchAttributeKey('HoldpointSpace', 'KEYWORD');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const KEY = { 'Idempotency-Key': 'the same key' };

/** The same keys of the two spaces: each pair has the same names. */
const SIDES = { default: ['agent', 'operator'], 'team-b': ['agentB', 'peopleB'] } as const;

/** What one space has. */
interface Made {
  readonly space: string;
  readonly agent: KeyName;
  readonly people: KeyName;
  readonly intentId: string;
  readonly suspensionId: string;
  readonly standaloneId: string;
  readonly portfolioId: string;
}

describe('two spaces', () => {
  let stack: RealStack;
  let made: readonly [Made, Made];

  before(async () => {
    stack = await RealStack.start({ subscriptions: { secrets: [SECRET] } });
    made = [await make('default'), await make('team-b')];
  });
  after(() => stack.close());

  async function created(path: string, as: KeyName, body: object, headers = {}): Promise<string> {
    const reply = await stack.post(path, as, body, headers);
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { id: string }).id;
  }

  /** Makes the same in a space: same agent, same keys, same names. */
  async function make(space: keyof typeof SIDES): Promise<Made> {
    const [agent, people] = SIDES[space];
    const intent = { title: 'Refund', status: 'active' };
    const intentId = await created('/v1/intents', agent, intent, KEY);
    assert.equal(await created('/v1/intents', agent, intent, KEY), intentId);
    const asked = { ...REFUND, request_key: 'same question' };
    const suspensionId = await created(`/v1/intents/${intentId}/suspend`, agent, asked);
    const standaloneId = await created('/v1/suspensions', agent, asked);
    const portfolio = { name: 'Refunds', intents: [{ intent_id: intentId }] };
    const portfolioId = await created('/v1/portfolios', agent, portfolio, KEY);
    const registered = await stack.post('/api/v1/agents/register', agent, { agent_id: 'helper' });
    assert.ok(registered.status < 300, registered.text);
    return { space, agent, people, intentId, suspensionId, standaloneId, portfolioId };
  }

  /** Runs a check for each of the two, with the other one. */
  async function each(check: (own: Made, other: Made) => Promise<void>): Promise<void> {
    const [first, second] = made;
    await check(first, second);
    await check(second, first);
  }

  it('have things of their own under the same keys and names', async () => {
    const [first, second] = made;
    for (const id of ['intentId', 'suspensionId', 'standaloneId', 'portfolioId'] as const) {
      assert.notEqual(first[id], second[id]);
    }
    await each(async ({ people }) => {
      const { body } = await stack.get('/api/v1/agents', people);
      const agents = body as readonly { agent_id: string }[];
      assert.deepEqual(
        agents.map(({ agent_id }) => agent_id),
        ['helper'],
      );
    });
  });

  it('take no writes and no ids in bodies from each other', async () => {
    await each(async ({ agent, people, intentId }, other) => {
      const foreign = `/v1/intents/${other.intentId}`;
      const match = { 'If-Match': '1' };
      const value = { suspension_id: other.suspensionId, value: 'approve' };
      const writes = [
        stack.post(`${foreign}/status`, agent, { status: 'abandoned' }, match),
        stack.post(`${foreign}/events`, agent, { event_type: 'comment' }),
        stack.post(`${foreign}/suspend`, agent, REFUND),
        stack.post(`${foreign}/suspend/respond`, people, value),
        stack.post(`/v1/suspensions/${other.standaloneId}/respond`, people, { value: 'approve' }),
        stack.post(`/v1/suspensions/${other.standaloneId}/cancel`, people, {}),
        stack.delete(`/v1/intents/${other.intentId}/personal-data`, people),
        stack.post('/v1/intents', agent, { title: 'x', parent_intent_id: other.intentId }),
        stack.post('/v1/intents', agent, { title: 'x', depends_on: [other.intentId] }),
        stack.post(
          `/api/v1/intents/${intentId}/dependencies`,
          agent,
          { dependency_id: other.intentId },
          match,
        ),
        stack.post('/v1/portfolios', agent, {
          name: 'x',
          intents: [{ intent_id: other.intentId }],
        }),
        stack.post('/v1/tasks', agent, { name: 'x', intent_id: other.intentId }),
        stack.post('/v1/coordinators', agent, { portfolio_id: other.portfolioId }),
        stack.post('/v1/subscriptions', agent, {
          intent_id: other.intentId,
          webhook_url: 'https://hooks.example.com/',
        }),
      ];
      for (const reply of await Promise.all(writes)) {
        const about = `${reply.request.method} ${reply.request.url} ${reply.status} ${reply.text}`;
        // What only operators of the default space may do is refused before anything is looked up.
        const accepted = reply.body.code === 'forbidden' ? 403 : 404;
        assert.equal(reply.status, accepted, about);
      }
    });
    for (const { intentId, people } of made) {
      const { body } = await stack.get(`/v1/intents/${intentId}`, people);
      assert.equal(body.status, 'suspended_awaiting_input');
    }
  });

  it('stream and post their own events alone', async () => {
    const server = await startServer({ app: stack.app, host: '127.0.0.1', port: 0 });
    const receivers = await Promise.all([startReceiver(), startReceiver()]);
    const streams = await Promise.all(
      made.map(({ agent }) =>
        openSse(`${server.url}/v1/agents/agent-1/subscribe`, KEYS[agent].key),
      ),
    );
    for (const [index, { agent }] of made.entries()) {
      const webhook_url = receivers[index]?.publicUrl ?? '';
      await created('/v1/subscriptions', agent, { webhook_url, event_types: ['comment'] });
    }
    for (const { agent, intentId } of made) {
      const body = { event_type: 'comment', payload: { of: intentId } };
      await created(`/v1/intents/${intentId}/events`, agent, body);
    }
    for (const [index, { intentId }] of made.entries()) {
      const received = receivers[index]?.received ?? [];
      await lookUntil(async () => received.length > 0, 'no event was delivered');
      const events = received.map(({ body }) => (JSON.parse(body) as { event: IntentEvent }).event);
      assert.ok(events.every(({ intent_id }) => intent_id === intentId));
      const frames = (await streams[index]?.until(1)) ?? [];
      const shown = frames.map(({ data }) => (JSON.parse(data) as IntentEvent).intent_id);
      assert.deepEqual([...new Set(shown)], [intentId]);
    }
    for (const stream of streams) stream.reply.destroy();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await server.close();
  });

  async function spaceAttributeOf(workflowId: string): Promise<string | undefined> {
    const { typedSearchAttributes } = await stack.client.workflow.getHandle(workflowId).describe();
    return typedSearchAttributes.get(SPACE_ATTRIBUTE);
  }

  it('are named by a search attribute, and by the ids of workflows', async () => {
    const [, { intentId, suspensionId }] = made;
    const ids = [
      workflowIdOf('intent', intentId, 'team-b'),
      workflowIdOf('suspension', suspensionId, 'team-b'),
    ];
    for (const id of ids) {
      assert.equal(await spaceAttributeOf(id), 'team-b');
      assert.equal(spaceOfWorkflow(id), 'team-b');
    }
    const { intentId: own } = made[0];
    assert.equal(await spaceAttributeOf(`intent-${own}`), 'default');
  });

  it('are answered by their own operators, under the same key of the request', async () => {
    await each(async ({ people, intentId, suspensionId }) => {
      const answer = { suspension_id: suspensionId, value: 'approve' };
      const path = `/v1/intents/${intentId}/suspend/respond`;
      const reply = await stack.post(path, people, answer, KEY);
      assert.equal(reply.status, 200, reply.text);
      const { body } = await stack.get(`/v1/intents/${intentId}`, people);
      assert.equal(body.status, 'active');
    });
  });
});
