import assert from 'node:assert/strict';
import { ConnectionError, Operator } from '../../client/index.js';
import { agentOf, withServer, type InstantPauses } from './support/harness.js';
import type { FakeServer } from './support/fake-server.js';
import { INTENT_ID, pending, problem, ROUTES, settled, SUSPENSION_ID } from './support/samples.js';

const ANSWER = { suspension_id: SUSPENSION_ID, value: 'approve' };
const RESULT = { intent_id: INTENT_ID, ...ANSWER, resolution: 'responded', responded_by: 'alice' };

function operatorOf(server: FakeServer, pauses: InstantPauses): Operator {
  const timers = { pause: pauses.pause };
  return new Operator({ baseUrl: `${server.url}/`, apiKey: 'operator-key', timers });
}

describe('Operator', () => {
  it('repeats an answer under one Idempotency-Key', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.respond, 'cut', { body: RESULT });

      const receipt = await operatorOf(server, pauses).respond(INTENT_ID, ANSWER);

      const requests = server.requests(ROUTES.respond);
      assert.deepEqual(receipt, { accepted: true, result: RESULT });
      assert.deepEqual(requests[0]?.body, ANSWER);
      assert.equal(requests.length, 2);
      assert.equal(new Set(requests.map((seen) => seen.headers['idempotency-key'])).size, 1);
    }));

  it('tells an answer handed over from an accepted one', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.respond, { status: 202, body: { status: 'handed_over' } });

      const receipt = await operatorOf(server, pauses).respond(INTENT_ID, ANSWER);

      assert.deepEqual(receipt, { accepted: false, suspension_id: SUSPENSION_ID });
    }));

  it('answers a question that holds up no intent', () =>
    withServer(async (server, pauses) => {
      const route = `POST /v1/suspensions/${SUSPENSION_ID}/respond`;
      server.on(route, { body: { ...RESULT, intent_id: null } });

      const receipt = await operatorOf(server, pauses).respond(null, ANSWER);

      assert.deepEqual(receipt, { accepted: true, result: { ...RESULT, intent_id: null } });
    }));

  it('changes who may answer, once', () =>
    withServer(async (server, pauses) => {
      const route = `PUT /v1/suspensions/${SUSPENSION_ID}/eligibility`;
      server.on(route, 'cut');
      const change = { eligible: { principals: [], roles: [], groups: ['leads'] }, reason: 'away' };

      const changed = operatorOf(server, pauses).changeEligibility(SUSPENSION_ID, change);

      await assert.rejects(changed, ConnectionError);
      assert.deepEqual(
        server.requests(route).map(({ body }) => body),
        [change],
      );
      server.on(route, { body: pending() });
      const view = await operatorOf(server, pauses).changeEligibility(SUSPENSION_ID, change);
      assert.deepEqual(view, pending());
    }));

  it('claims and releases a question', () =>
    withServer(async (server, pauses) => {
      const routes = ['claim', 'release'].map((verb) => {
        const route = `POST /v1/suspensions/${SUSPENSION_ID}/${verb}`;
        server.on(route, { body: pending() });
        return route;
      });
      const operator = operatorOf(server, pauses);

      assert.deepEqual(await operator.claim(SUSPENSION_ID), pending());
      assert.deepEqual(await operator.release(SUSPENSION_ID), pending());

      for (const route of routes) {
        assert.deepEqual(
          server.requests(route).map(({ body }) => body),
          [{}],
        );
      }
    }));

  it('comments on a question, delegates it, and answers many at once', () =>
    withServer(async (server, pauses) => {
      const at = (verb: string) => `POST /v1/suspensions/${SUSPENSION_ID}/${verb}`;
      for (const verb of ['comments', 'delegate']) server.on(at(verb), { body: pending() });
      const results = [{ suspension_id: SUSPENSION_ID, outcome: 'settled', result: RESULT }];
      const bulk = 'POST /v1/suspensions/respond';
      server.on(bulk, { body: { results } });
      const operator = operatorOf(server, pauses);

      await operator.comment(SUSPENSION_ID, 'She called twice.');
      await operator.delegate(SUSPENSION_ID, 'carol', 'She knows her.');
      await operator.delegate(SUSPENSION_ID, { group: 'finance' }, 'They know her.');
      const body = { answers: [{ suspension_id: SUSPENSION_ID }], value: 'approve' };
      assert.deepEqual(await operator.answerAll(body), results);

      const sent = [at('comments'), at('delegate'), bulk].map((route) => server.requests(route)[0]);
      assert.deepEqual(
        sent.map((one) => one?.body),
        [{ text: 'She called twice.' }, { to: 'carol', reason: 'She knows her.' }, body],
      );
      assert.deepEqual(server.requests(at('delegate'))[1]?.body, {
        to_group: 'finance',
        reason: 'They know her.',
      });
      assert.ok(sent[2]?.headers['idempotency-key']);
    }));

  it('snoozes questions and saves views, again after a lost reply', () =>
    withServer(async (server, pauses) => {
      const operator = operatorOf(server, pauses);
      const snooze = `/v1/suspensions/${SUSPENSION_ID}/snooze`;
      const view = { id: INTENT_ID, name: 'Mine', filter: { text: 'refund' } };
      server.on(`POST ${snooze}`, 'cut', { body: { until: 'then' } });
      server.on(`DELETE ${snooze}`, { body: {} });
      server.on('GET /v1/snoozes', { body: { snoozes: ['one'] } });
      server.on(`PUT /v1/me/views/${INTENT_ID}`, 'cut', { body: view });
      server.on('GET /v1/me/views', { body: { views: [view] } });
      server.on(`DELETE /v1/me/views/${INTENT_ID}`, { body: {} });

      assert.deepEqual(await operator.snooze(SUSPENSION_ID, 'next_reminder'), { until: 'then' });
      assert.deepEqual(await operator.snoozes(), ['one']);
      await operator.endSnooze(SUSPENSION_ID);
      const { id, ...saved } = view;
      assert.deepEqual(await operator.saveView(id, saved), view);
      assert.deepEqual(await operator.savedViews(), [view]);
      await operator.deleteSavedView(id);

      const sent = (route: string) => server.requests(route).map(({ body }) => body);
      assert.deepEqual(sent(`POST ${snooze}`), Array(2).fill({ until: 'next_reminder' }));
      assert.deepEqual(sent(`PUT /v1/me/views/${INTENT_ID}`), [saved, saved]);
      assert.equal(server.requests(`DELETE ${snooze}`).length, 1);
      assert.equal(server.requests(`DELETE /v1/me/views/${INTENT_ID}`).length, 1);
    }));

  it('reads, sets and ends its quiet hours, again after a lost reply', () =>
    withServer(async (server, pauses) => {
      const operator = operatorOf(server, pauses);
      const hours = { time_zone: 'UTC', from: '19:00', to: '08:00', whole_days: [] };
      const path = '/v1/me/quiet-hours';
      server.on(`GET ${path}`, { body: { quiet_hours: null } }, { body: { quiet_hours: hours } });
      server.on(`PUT ${path}`, 'cut', { body: { quiet_hours: hours } });
      server.on(`DELETE ${path}`, { body: { quiet_hours: null } });

      assert.equal(await operator.quietHours(), null);
      await operator.setQuietHours(hours);
      assert.deepEqual(await operator.quietHours(), hours);
      await operator.endQuietHours();

      const sent = server.requests(`PUT ${path}`).map(({ body }) => body);
      assert.deepEqual(sent, [hours, hours]);
      assert.equal(server.requests(`DELETE ${path}`).length, 1);
    }));

  it('gets the valid choices with a refusal [R25-85]', () =>
    withServer(async (server, pauses) => {
      const valid_choices = ['approve', 'deny'];
      server.on(ROUTES.respond, problem(422, 'invalid_value', { field: 'value', valid_choices }));

      const answering = operatorOf(server, pauses).respond(INTENT_ID, { ...ANSWER, value: 'x' });

      await assert.rejects(answering, { code: 'invalid_value', field: 'value', valid_choices });
    }));

  it('waits until a suspension is settled', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.read, { body: pending() });
      server.on(ROUTES.wait, { body: pending(2) }, { body: settled({}, 2) });

      const view = await operatorOf(server, pauses).waitForSuspension(SUSPENSION_ID);

      assert.deepEqual(view, settled({}, 2));
    }));
});

describe('a server without the suspension protocol', () => {
  const UNSUPPORTED = { name: 'SuspensionUnsupportedError', code: 'suspension_unsupported' };
  const replies = {
    'a problem': problem(404, 'not_found'),
    'another form': { status: 404, body: { detail: 'Not Found' } },
    'a page': { status: 404, text: '<html>Not found</html>' },
  };

  for (const [form, reply] of Object.entries(replies)) {
    it(`is recognised by ${form} with status 404 [R25-104]`, () =>
      withServer(async (server, pauses) => {
        for (const route of ['suspend', 'respond', 'cancel', 'engagement'] as const) {
          server.on(ROUTES[route], reply);
        }
        const agent = agentOf(server, pauses);
        const operator = operatorOf(server, pauses);

        await assert.rejects(agent.requestInput(INTENT_ID, { question: 'Q?' }), UNSUPPORTED);
        await assert.rejects(agent.shouldRequestInput(INTENT_ID, {}), UNSUPPORTED);
        await assert.rejects(agent.cancelInput(INTENT_ID), UNSUPPORTED);
        await assert.rejects(operator.respond(INTENT_ID, ANSWER), UNSUPPORTED);
      }));
  }

  it('is not confused with an unknown intent [R25-104]', () =>
    withServer(async (server, pauses) => {
      server.on(ROUTES.suspend, problem(404, 'intent_not_found'));
      const asking = agentOf(server, pauses).requestInput(INTENT_ID, { question: 'Q?' });
      await assert.rejects(asking, { name: 'HoldpointError', code: 'intent_not_found' });
    }));
});
