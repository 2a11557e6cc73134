import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import {
  Agent,
  HoldpointError,
  type AskResult,
  type ConfirmResult,
} from '../../../client/index.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { asksShortly } from '../../workflows/support/agent-workflows.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack, type KeyName } from '../../support/real-stack.js';
import { inThisProcess } from '../../support/stack-temporal.js';
import { companionCode } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { LiveClock } from '../../temporal/live-clock.js';
import { LocalTemporal } from '../../temporal/local-temporal.js';
import { localPlace } from '../../workflows/support/places.js';

const AGENT_QUEUE = 'agents';

describe('ask and a whole service', () => {
  const place = localPlace(new LocalTemporal((order) => new LiveClock(order)));
  let stack: RealStack;
  let agent: Agent;
  before(async () => {
    stack = await RealStack.start({}, inThisProcess(place));
    agent = anAgent();
  });
  after(() => stack.close());

  /** An agent in a process of its own: it knows nothing of another. */
  function anAgent(): Agent {
    return new Agent({ baseUrl: stack.url, apiKey: KEYS.agent.key });
  }

  /** A question that no other test asks. */
  function aQuestion(): string {
    return `Refund order ${randomUUID()}?`;
  }

  /** The questions with these words that an operator may see. */
  async function listed(words: string, query = ''): Promise<readonly SuspensionView[]> {
    const text = encodeURIComponent(words);
    const { body } = await stack.get(`/v1/suspensions?text=${text}${query}`, 'operator');
    return (body as { readonly suspensions?: readonly SuspensionView[] }).suspensions ?? [];
  }

  /** The id of the open question with these words, once it is there. */
  async function idOf(words: string): Promise<string> {
    return lookUntil(async () => (await listed(words))[0]?.id, `nobody asks ${words}`);
  }

  function respond(id: string, value: JsonValue, as: KeyName = 'operator', comment?: string) {
    return stack.post(`/v1/suspensions/${id}/respond`, as, { value, comment });
  }

  async function answer(words: string, ...given: readonly [JsonValue, KeyName?, string?]) {
    const id = await idOf(words);
    const reply = await respond(id, ...given);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return id;
  }

  describe('over HTTP', () => {
    it('resolves with what a person decides, who it is, and why', async () => {
      const question = aQuestion();
      const asking = agent.ask(question, { context: { amount: '20.00 EUR' } });
      const id = await answer(question, 'yes', 'operator', 'paid twice');
      const { at, ...result } = await asking;
      const { body } = await stack.get(`/v1/suspensions/${id}`);
      const { record } = body as SuspensionView;
      assert.deepEqual(result, {
        value: 'yes',
        choice: { value: 'yes', label: 'Yes' },
        by: KEYS.operator.principal,
        comment: 'paid twice',
        is_fallback: false,
        suspension_id: id,
        approved: true,
      } satisfies Omit<ConfirmResult, 'at'>);
      assert.equal(at, record.responded_at);
      assert.deepEqual(record.context, { amount: '20.00 EUR' });
    });

    it('finds its question by the key, from other processes and after the answer', async () => {
      const question = aQuestion();
      const call = { key: question, timeout: '1h' };
      const stop = new AbortController();
      const crashed = agent.ask(question, { ...call, signal: stop.signal });
      const id = await idOf(question);
      stop.abort(new Error('crashed'));
      await assert.rejects(crashed, /crashed/);

      const waiting = [anAgent(), anAgent()].map((each) => each.ask(question, call));
      await answer(question, 'no');
      const results = [...(await Promise.all(waiting)), await anAgent().ask(question, call)];
      assert.deepEqual(
        results.map(({ suspension_id, approved }) => [suspension_id, approved]),
        results.map(() => [id, false]),
      );
      await assert.rejects(
        agent.ask(aQuestion(), call),
        (error) => error instanceof HoldpointError && error.code === 'request_key_reused',
      );
    });
  });

  describe('in a workflow', () => {
    let worker: RunningWorker;
    before(startAgents);
    after(() => worker.stop());

    async function startAgents(): Promise<void> {
      const code = await companionCode('agent-workflows');
      worker = await place.startWorker({ taskQueue: AGENT_QUEUE, code, activities: {} });
    }

    function start(...args: Parameters<typeof asksShortly>) {
      return stack.client.workflow.start<typeof asksShortly>('asksShortly', {
        workflowId: `agent-${randomUUID()}`,
        taskQueue: AGENT_QUEUE,
        args,
      });
    }

    it('returns the answer that a person gives over HTTP, as the client does', async () => {
      const question = aQuestion();
      const agent = await start(question, { context: { amount: '20.00 EUR' }, timeout: '1h' });
      const id = await answer(question, 'yes', 'operator', 'paid twice');
      const { at, ...result } = (await agent.result()) as AskResult;
      assert.ok(Number.isFinite(Date.parse(at)));
      assert.deepEqual(result, {
        value: 'yes',
        choice: { value: 'yes', label: 'Yes' },
        by: KEYS.operator.principal,
        comment: 'paid twice',
        is_fallback: false,
        suspension_id: id,
        approved: true,
      });
      const { body } = await stack.get(`/v1/suspensions/${id}`, 'operator');
      assert.deepEqual((body as SuspensionView).record.context, { amount: '20.00 EUR' });
    });
  });
});
