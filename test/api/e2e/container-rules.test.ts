import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import type { Task } from '../../../contracts/plan/task.js';
import { typesOf } from '../../workflows/support/intents.js';
import { dueSoon } from '../../support/due-portfolio.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';

const QUESTION = { question: 'Go on?', response_type: 'confirm', fallback_policy: 'fail' };
const POLICIES = [undefined, 'isolate', 'block_dependents', 'escalate'] as const;

describe('the five container rules', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function made(path: string, body: object): Promise<string> {
    const reply = await stack.post(path, 'agent', body);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body.id as string;
  }

  async function becomes<T>(path: string, isWanted: (body: T) => boolean): Promise<T> {
    let body: T | undefined;
    return lookUntil(
      async () => {
        body = (await stack.get(path)).body as T;
        return isWanted(body) && body;
      },
      () => `${path} never got there: ${JSON.stringify(body)}`,
    );
  }

  for (const policy of POLICIES) {
    it(`hold whatever the coordinators do: ${policy ?? 'none'} [R26-03]`, async () => {
      const upstream = await createIntent(stack);
      const intent_id = upstream.slice('/v1/intents/'.length);
      const step = { title: 'Step', status: 'active', depends_on: [intent_id] };
      const dependent = `/v1/intents/${await made('/v1/intents', step)}`;
      const members = { name: 'Launch', intents: [{ intent_id }] };
      const portfolio_id = await made('/v1/portfolios', members);
      const portfolio = `/v1/portfolios/${portfolio_id}`;
      const task = `/v1/tasks/${await made('/v1/tasks', { intent_id, name: 'review' })}`;
      for (const scope of policy === undefined ? [] : [{ intent_id }, { portfolio_id }]) {
        await made('/v1/coordinators', { ...scope, suspension_policy: policy });
      }

      await ask(stack, upstream, QUESTION);
      await becomes<Intent>(dependent, ({ status }) => status === 'blocked');
      const held = await becomes<Task>(task, ({ status }) => status === 'blocked');
      assert.deepEqual(
        [held.blocked_reason, held.suspended_intent_id],
        ['intent_suspended', intent_id],
      );
      const waiting = await becomes<PortfolioView>(portfolio, (one) => one.has_suspended_members);
      assert.deepEqual(
        [waiting.status, waiting.aggregate_status.status, waiting.suspended_member_count],
        ['active', 'in_progress', 1],
      );

      await dueSoon(stack, portfolio, waiting.version);
      const over = await becomes<Intent>(upstream, ({ status }) => status === 'abandoned');
      assert.equal(over.abandonment_reason, 'portfolio_deadline_exceeded');
      await becomes<PortfolioView>(portfolio, (one) => one.aggregate_status.status === 'failed');
      await becomes<Task>(task, ({ status }) => status === 'failed');
      const { events } = await becomes<{ events: IntentEvent[] }>(`${dependent}/events`, (log) =>
        typesOf(log.events).includes('dependency_unsatisfiable'),
      );
      const freed = events.filter(({ payload }) => payload['reason'] === 'dependencies_completed');
      assert.deepEqual(freed, []);
      const { body: left } = await stack.get(dependent);
      assert.equal(left.status, 'blocked');
    });
  }
});
