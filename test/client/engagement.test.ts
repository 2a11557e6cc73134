import assert from 'node:assert/strict';
import { DeferredError, ensureMayAct, InputRequiredError } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { DECISION, INTENT_ID, problem, ROUTES } from './support/samples.js';

const SIGNALS = { confidence: 0.55, risk: 0.6, reversibility: 0.8 };

describe('shouldRequestInput', () => {
  it('returns the decision of the server [R25-59] [R25-92]', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, { body: DECISION });

      const decision = await agentOf(server, pauses).shouldRequestInput(INTENT_ID, SIGNALS);

      assert.deepEqual(decision, DECISION);
      assert.deepEqual(server.requests(ROUTES.engagement)[0]?.body, SIGNALS);
    }));

  it('calls onEngagementDecision with it [R25-96]', () =>
    withServer(async (server, pauses) => {
      const calls: unknown[] = [];
      server.on(ROUTES.engagement, { body: DECISION });
      const hooks = { onEngagementDecision: (...given: unknown[]) => calls.push(given) };

      await agentOf(server, pauses, { hooks }).shouldRequestInput(INTENT_ID, SIGNALS);

      assert.deepEqual(calls, [[DECISION, INTENT_ID]]);
    }));

  it('passes a refusal on and calls no hook [R25-96]', () =>
    withServer(async (server, pauses) => {
      const calls: unknown[] = [];
      server.on(ROUTES.engagement, problem(422, 'invalid_signals', { field: 'risk' }));
      const hooks = { onEngagementDecision: (...given: unknown[]) => calls.push(given) };

      const asking = agentOf(server, pauses, { hooks }).shouldRequestInput(INTENT_ID, { risk: 2 });

      await assert.rejects(asking, { code: 'invalid_signals', field: 'risk' });
      assert.deepEqual(calls, []);
    }));
});

describe('the decision that goes with a question', () => {
  it('is the last one of the intent, once [R25-49]', () =>
    withServer(async (server, pauses) => {
      const later = { ...DECISION, rationale: 'later' };
      server.on(ROUTES.engagement, { body: DECISION }, { body: later });
      const agent = agentOf(server, pauses);
      await agent.shouldRequestInput(INTENT_ID, SIGNALS);
      await agent.shouldRequestInput(INTENT_ID, SIGNALS);
      await agent.requestInput(INTENT_ID, { question: 'One?' });
      await agent.requestInput(INTENT_ID, { question: 'Two?' });

      const sent = server.requests(ROUTES.suspend).map(({ body }) => body['decision']);
      assert.deepEqual(sent, [later, undefined]);
    }));

  it('is the same for the same request_key', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, { body: DECISION });
      const agent = agentOf(server, pauses);
      await agent.shouldRequestInput(INTENT_ID, SIGNALS);
      await agent.requestInput(INTENT_ID, { question: 'One?', request_key: 'one' });
      await agent.requestInput(INTENT_ID, { question: 'One?', request_key: 'one' });

      const [first, second] = server.requests(ROUTES.suspend);
      assert.deepEqual(first?.body['decision'], DECISION);
      assert.deepEqual(second?.body, first.body);
    }));

  it('is kept where the question was refused', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.engagement, { body: DECISION });
      server.on(ROUTES.suspend, problem(409, 'intent_not_active'));
      const agent = agentOf(server, pauses);
      await agent.shouldRequestInput(INTENT_ID, SIGNALS);
      const refusal = { code: 'intent_not_active' };
      await assert.rejects(agent.requestInput(INTENT_ID, { question: 'One?' }), refusal);
      await assert.rejects(agent.requestInput(INTENT_ID, { question: 'Two?' }), refusal);

      const sent = server.requests(ROUTES.suspend).map(({ body }) => body['decision']);
      assert.deepEqual(sent, [DECISION, DECISION]);
    }));

  it('is the one of the call before any other', () =>
    withServer(async (server, pauses) => {
      const own = { ...DECISION, rationale: 'own' };
      server.on(ROUTES.engagement, { body: DECISION });
      const agent = agentOf(server, pauses);
      await agent.shouldRequestInput(INTENT_ID, SIGNALS);
      await agent.requestInput(INTENT_ID, { question: 'One?', decision: own });

      assert.deepEqual(server.requests(ROUTES.suspend)[0]?.body['decision'], own);
    }));

  it('is never that of another intent', () =>
    withServer(async (server, pauses) => {
      server.on('POST /v1/intents/other/engagement', { body: DECISION });
      const agent = agentOf(server, pauses);
      await agent.shouldRequestInput('other', SIGNALS);
      await agent.requestInput(INTENT_ID, { question: 'One?' });

      assert.equal(server.requests(ROUTES.suspend)[0]?.body['decision'], undefined);
    }));
});

describe('ensureMayAct', () => {
  it('lets an autonomous agent act', () => {
    const decision = { ...DECISION, mode: 'autonomous', should_ask: false, may_act: true } as const;
    assert.doesNotThrow(() => {
      ensureMayAct(decision);
    });
  });

  it('throws DeferredError if the agent must not even ask', () => {
    const decision = { ...DECISION, mode: 'defer', should_ask: false } as const;
    assert.throws(
      () => {
        ensureMayAct(decision);
      },
      (error) => error instanceof DeferredError && error.decision === decision,
    );
  });

  it('throws InputRequiredError if the agent has to ask', () => {
    assert.throws(
      () => {
        ensureMayAct(DECISION);
      },
      (error) => error instanceof InputRequiredError && error.code === 'input_required',
    );
  });
});
