import assert from 'node:assert/strict';
import { Agent, type HumanRetryPolicy } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { INTENT_ID, pending, problem, ROUTES, settled } from './support/samples.js';

const CHOICES = [
  { value: 'approve', label: 'Approve refund' },
  { value: 'deny', label: 'Deny refund' },
];

describe('requestInput', () => {
  it('resolves with the value itself [R25-89]', () =>
    withServer(async (server, pauses) => {
      const value = await agentOf(server, pauses).requestInput(INTENT_ID, {
        question: 'Refund?',
        choices: CHOICES,
      });

      assert.equal(value, 'approve');
    }));

  it('resolves with the string a confirmation got [R25-91]', () =>
    withServer(async (server, pauses) => {
      const confirm = { response_type: 'confirm', response: 'yes' } as const;
      server.on(ROUTES.wait, { body: settled(confirm) });

      const value = await agentOf(server, pauses).requestInput(INTENT_ID, {
        question: 'Deploy?',
        response_type: 'confirm',
      });

      assert.equal(value, 'yes');
    }));

  for (const response of [false, 0, '', null, { a: [1] }]) {
    it(`hands ${JSON.stringify(response)} through unchanged [R25-89]`, () =>
      withServer(async (server, pauses) => {
        server.on(ROUTES.wait, { body: settled({ response_type: 'form', response }) });

        const value = await agentOf(server, pauses).requestInput(INTENT_ID, {
          question: 'Form?',
          response_type: 'form',
        });

        assert.deepEqual(value, response);
      }));
  }

  it('throws a refusal with what would be taken in its message', () =>
    withServer(async (server, pauses) => {
      const detail = 'A choice question needs choices.';
      const accepted = '{"question": "…", "response_type": "confirm"} for a yes or no';
      server.on(
        ROUTES.suspend,
        problem(422, 'invalid_choices', { detail, accepted, field: 'choices' }),
      );
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, { question: 'Refund?' });
      const message = `${detail} Accepted for choices: ${accepted}.`;
      await assert.rejects(asking, {
        code: 'invalid_choices',
        field: 'choices',
        accepted,
        detail,
        message,
      });
    }));

  it('does not say twice what the detail or the field says, and cuts a long list of values', () =>
    withServer(async (server, pauses) => {
      const ask = () => agentOf(server, pauses).requestInput(INTENT_ID, { question: 'Refund?' });
      const detail = 'timeout is not known here; did you mean timeout_seconds?';
      const accepted = 'timeout_seconds';
      server.on(ROUTES.suspend, problem(422, 'invalid_request', { detail, accepted }));
      await assert.rejects(ask(), { message: detail });
      const header = { field: 'X-API-Key', accepted: 'X-API-Key: <your key>' };
      server.on(ROUTES.suspend, problem(401, 'unauthenticated', { detail: 'No key.', ...header }));
      await assert.rejects(ask(), { message: 'No key. Accepted: X-API-Key: <your key>.' });
      const valid_choices = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(2_000, 'x'));
      server.on(ROUTES.suspend, problem(422, 'invalid_value', { detail: 'None.', valid_choices }));
      await assert.rejects(ask(), ({ message }: Error) => message.length < 1_100);
    }));

  it('sends every argument under its wire name [R25-87] [R25-88]', () =>
    withServer(async (server, pauses) => {
      const question = {
        question: 'Refund?',
        response_type: 'choice' as const,
        choices: CHOICES,
        context: { order_id: '12345' },
        channel_hint: 'slack',
        timeout_seconds: 3600,
        fallback_policy: 'complete_with_fallback' as const,
        fallback_value: 'deny',
        confidence: 0.55,
        retry_policy: { max_attempts: 2 },
        inherit_retry_policy: false,
        request_key: 'refund-12345',
      };
      await agentOf(server, pauses).requestInput(INTENT_ID, question);

      const [request] = server.requests(ROUTES.suspend);
      assert.deepEqual(request?.body, { ...question, agent_retry_policy: null });
      assert.equal(request.headers['x-api-key'], 'agent-key');
    }));

  it('makes a key of its own for each call', () =>
    withServer(async (server, pauses) => {
      const agent = agentOf(server, pauses);
      await agent.requestInput(INTENT_ID, { question: 'One?' });
      await agent.requestInput(INTENT_ID, { question: 'Two?' });

      const keys = server.requests(ROUTES.suspend).map(({ body }) => body['request_key']);
      assert.equal(new Set(keys).size, 2);
      assert.ok(keys.every((key) => typeof key === 'string' && /^[0-9a-f]{32}$/.test(key)));
    }));

  it('asks one long request and does not poll', () =>
    withServer(async (server, pauses) => {
      await agentOf(server, pauses).requestInput(INTENT_ID, { question: 'Refund?' });

      const waits = server.requests(ROUTES.wait);
      assert.equal(waits.length, 1);
      assert.equal(waits[0]?.query.get('timeout_seconds'), '50');
      assert.equal(waits[0].query.get('after_attempt'), '1');
      assert.deepEqual(pauses.lengths, []);
    }));

  it('returns at once what a re-attached question got', () =>
    withServer(async (server, pauses) => {
      const asked: string[] = [];
      server.on(ROUTES.suspend, { status: 200, body: settled() });
      const hooks = { onInputRequested: () => asked.push('requested') };

      const agent = agentOf(server, pauses, { hooks });
      const value = await agent.requestInput(INTENT_ID, { question: 'Refund?', request_key: 'r' });

      assert.equal(value, 'approve');
      assert.deepEqual(asked, []);
      assert.equal(server.requests(ROUTES.wait).length, 0);
    }));

  it('withdraws a question by its intent', () =>
    withServer(async (server, pauses) => {
      const record = settled({ resolution: 'cancelled', reason: 'solved' }).record;
      server.on(ROUTES.cancel, { body: record });

      const result = await agentOf(server, pauses).cancelInput(INTENT_ID, { reason: 'solved' });

      assert.deepEqual(result, record);
      assert.deepEqual(server.requests(ROUTES.cancel)[0]?.body, { reason: 'solved' });
    }));
});

describe('default_human_retry_policy', () => {
  const OWN: HumanRetryPolicy = {
    max_attempts: 2,
    interval_seconds: 1800,
    strategy: 'fixed',
    escalation_ladder: [{ attempt: 2, channel_hint: 'email' }],
    final_fallback_policy: 'complete_with_fallback',
  };
  class PatientAgent extends Agent {
    override default_human_retry_policy = OWN;
  }

  async function policySent(make: (url: string) => Agent): Promise<unknown> {
    let sent: unknown = 'nothing';
    await withServer(async (server) => {
      server.on(ROUTES.suspend, { status: 201, body: pending() });
      await make(server.url).requestInput(INTENT_ID, { question: 'Refund?' });
      sent = server.requests(ROUTES.suspend)[0]?.body['agent_retry_policy'];
    });
    return sent;
  }

  it('comes from the class of the agent [R26-71] [R26-81] [R26-82] [TM-24]', async () => {
    const sent = await policySent((baseUrl) => new PatientAgent({ baseUrl, apiKey: 'k' }));
    assert.deepEqual(sent, OWN);
  });

  it('comes from the constructor before the class [R26-71]', async () => {
    const policy = { max_attempts: 5 };
    const sent = await policySent(
      (baseUrl) => new PatientAgent({ baseUrl, apiKey: 'k', default_human_retry_policy: policy }),
    );
    assert.deepEqual(sent, policy);
  });

  it('falls to the class where the constructor has null', async () => {
    const sent = await policySent(
      (baseUrl) => new PatientAgent({ baseUrl, apiKey: 'k', default_human_retry_policy: null }),
    );
    assert.deepEqual(sent, OWN);
  });

  it('leaves the platform in force where nobody sets one [R26-71]', async () => {
    const sent = await policySent((baseUrl) => new Agent({ baseUrl, apiKey: 'k' }));
    assert.equal(sent, null);
  });
});
