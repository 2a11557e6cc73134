import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { RefusalError } from '../../../api/errors.js';
import { answerInput, askInput, withdrawInput } from '../../../mcp/schemas.js';
import { withClient } from '../../support/mcp-clients.js';
import { hanging } from '../support/fakes.js';
import { KEYS } from '../support/harness.js';
import { alreadyStarted, openedIn } from '../support/questions.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';
import { ASK, CURRENT, KINDS, TICKET, asAgent, settled, waiting, withDoor } from './support.js';

describe('the door for models, over HTTP', () => {
  for (const kind of KINDS) {
    it(`lets ${kind} ask, wait and withdraw`, () =>
      withDoor(
        waiting(settled({ resolution: 'responded', response: 'yes', responded_by: 'alice' })),
        (url, rig) =>
          withClient(kind, { url, key: KEYS.agent }, async (client) => {
            const tools = await client.tools();
            assert.deepEqual(
              tools.map(({ name }) => name),
              ['ask_human', 'get_human_answer', 'withdraw_question'],
            );
            assert.ok(tools.every(({ outputSchema }) => outputSchema !== undefined));
            const inputs = [askInput, answerInput, withdrawInput];
            assert.deepEqual(
              tools.map(({ inputSchema }) => inputSchema),
              inputs.map((schema) => z.toJSONSchema(schema, { io: 'input' })),
            );
            const asked = await client.call('ask_human', ASK);
            assert.deepEqual(asked.output, {
              ticket: openedIn(rig).record.id,
              status: 'pending',
              page: null,
              expires_at: null,
              warnings: [],
              next: asked.output['next'],
            });
            assert.deepEqual(JSON.parse(asked.text), asked.output);
            const { output } = await client.call('get_human_answer', TICKET);
            assert.deepEqual(
              [output['status'], output['answer'], output['from'], output['answered_by']],
              ['answered', 'yes', 'person', 'alice'],
            );
            const withdrawn = await client.call('withdraw_question', { ...TICKET, reason: 'done' });
            assert.deepEqual(withdrawn.output, { ticket: SUSPENSION_ID, status: 'withdrawn' });
            const sent = rig.sent.map(({ name }) => name);
            assert.deepEqual(sent, ['suspension', 'record', 'cancel', 'result']);
          }),
      ));
  }

  it('asks under the key of the model, so that a repeat finds the first', () =>
    asAgent({}, async (client, rig) => {
      await client.call('ask_human', {
        ...ASK,
        choices: [{ value: 'go', label: 'Go ahead' }, { value: 'stop' }],
        context: { build: 7 },
        timeout_seconds: 900,
        fallback_value: 'stop',
      });
      const { asked_by, record } = openedIn(rig);
      const { id, suspended_at, ...asked } = record;
      assert.equal(asked_by, 'refund-agent');
      assert.deepEqual(asked, {
        question: ASK.question,
        response_type: 'choice',
        choices: [
          { value: 'go', label: 'Go ahead' },
          { value: 'stop', label: 'stop' },
        ],
        context: { build: 7 },
        timeout_seconds: 900,
        expires_at: '2026-01-01T00:15:00.000Z',
        fallback_policy: 'use_default_and_continue',
        fallback_value: 'stop',
      });
      assert.equal(suspended_at, '2026-01-01T00:00:00.000Z');
      const again = await client.call('ask_human', { ...ASK, response_type: 'text' });
      assert.equal(again.output['ticket'], id);
    }));

  it('gives the page of the question where the service knows its address', () =>
    asAgent(
      {},
      async (client, rig) => {
        const { output } = await client.call('ask_human', ASK);
        const { id } = openedIn(rig).record;
        assert.equal(output['page'], `https://ask.example.com/inbox/q/${id}`);
      },
      { public_url: 'https://ask.example.com' },
    ));

  it('waits 25 s unless told otherwise, and takes pending for a result', () =>
    asAgent(waiting(VIEW), async (client, rig) => {
      const waited = async (given: object) => {
        const began = rig.clock.now();
        const { isError, output } = await client.call('get_human_answer', { ...TICKET, ...given });
        assert.deepEqual(
          [isError, output['status'], 'answer' in output],
          [false, 'pending', false],
        );
        return rig.clock.now() - began;
      };
      assert.equal(await waited({}), 25_000);
      assert.equal(await waited({ wait_seconds: 50 }), 50_000);
      rig.sent.splice(0);
      assert.equal(await waited({ wait_seconds: 0 }), 0);
      assert.deepEqual(
        rig.sent.map(({ name }) => name),
        ['record'],
      );
    }));

  it('never gives a fallback for the decision of a person', () => {
    const view = settled({
      resolution: 'expired',
      settled_by: 'clock',
      fallback_policy: 'use_default_and_continue',
      fallback_value: 'no',
    });
    return asAgent(waiting(view), async (client) => {
      const { output } = await client.call('get_human_answer', TICKET);
      assert.deepEqual(
        [output['status'], output['answer'], output['from'], output['is_denial']],
        ['expired', 'no', 'fallback', true],
      );
      assert.equal(output['answered_by'], null);
    });
  });

  it('gives no fallback that the deadline of a portfolio passed over [R26-28]', () => {
    const view = settled({
      resolution: 'expired',
      settled_by: 'clock',
      reason: 'portfolio_deadline',
      fallback_policy: 'use_default_and_continue',
      fallback_value: 'yes',
    });
    return asAgent(waiting(view), async (client) => {
      const { output } = await client.call('get_human_answer', TICKET);
      assert.deepEqual(
        [output['status'], 'answer' in output, output['from'], output['is_denial']],
        ['expired', false, null, null],
      );
    });
  });

  it('has no answer where nobody gave one and there is no fallback', () =>
    asAgent(waiting(settled({ resolution: 'expired', settled_by: 'clock' })), async (client) => {
      const { output } = await client.call('get_human_answer', TICKET);
      assert.deepEqual(
        [output['status'], 'answer' in output, output['from'], output['is_denial']],
        ['expired', false, null, null],
      );
    }));

  it('says how a question had ended that is withdrawn too late', () =>
    asAgent(
      {
        ...waiting(settled({ resolution: 'responded', response: 'yes' })),
        cancel: () =>
          Promise.reject(new RefusalError({ code: 'suspension_settled', detail: 'Settled.' })),
      },
      async (client) => {
        const { isError, output } = await client.call('withdraw_question', TICKET);
        assert.deepEqual([isError, output['status']], [false, 'answered']);
      },
    ));

  for (const [tool, args, code, field, accepted] of [
    ['ask_human', { question: 'Deploy?' }, 'invalid_request', 'request_key', 'a string'],
    [
      'ask_human',
      { ...ASK, question: '' },
      'invalid_request',
      'question',
      'a string of at least 1 character',
    ],
    [
      'ask_human',
      { ...ASK, response_type: 'song' },
      'invalid_request',
      'response_type',
      'one of: choice, confirm, text, form',
    ],
    [
      'ask_human',
      { ...ASK, choices: [{ value: 'a' }], timeout_seconds: 0 },
      'invalid_request',
      'timeout_seconds',
      'a number of at least 1',
    ],
    [
      'ask_human',
      { ...ASK, choices: [{ label: 'A' }] },
      'invalid_choices',
      'choices[0].value',
      'a string',
    ],
    ['get_human_answer', { ticket: 'mine' }, 'invalid_request', 'ticket', 'a valid uuid'],
    [
      'get_human_answer',
      { ...TICKET, wait_seconds: 51 },
      'invalid_request',
      'wait_seconds',
      'a number of at most 50',
    ],
    ['withdraw_question', {}, 'invalid_request', 'ticket', 'a string'],
  ] as const) {
    it(`refuses ${tool} with ${JSON.stringify(args)}, and does nothing`, () =>
      asAgent({}, async (client, rig) => {
        const { isError, text } = await client.call(tool, args);
        assert.equal(isError, true);
        assert.ok(text.startsWith(`${code}: ${field} is `), text);
        assert.ok(text.endsWith(` Field: ${field}. Accepted: ${accepted}.`), text);
        assert.deepEqual([rig.sent, rig.asked], [[], []]);
      }));
  }

  it('tells the model why the service refuses, and what it would accept', () =>
    asAgent({ started: alreadyStarted }, async (client) => {
      const { isError, text } = await client.call('ask_human', ASK);
      assert.equal(isError, true);
      assert.equal(
        text,
        'request_key_reused: This request_key opened another question. Field: request_key. Accepted: the question of the first request, or a new key.',
      );
    }));

  it('names the values that would be accepted', () =>
    asAgent(
      {
        cancel: () =>
          Promise.reject(
            new RefusalError({
              code: 'invalid_value',
              detail: 'The value is none of the valid choices.',
              field: 'value',
              accepted: 'one of valid_choices',
              valid_choices: ['go', 'stop'],
            }),
          ),
      },
      async (client) => {
        const { text } = await client.call('withdraw_question', TICKET);
        assert.match(text, / Field: value\. Accepted: go, stop\.$/);
      },
    ));

  it('tells nothing of an error inside', () =>
    asAgent(
      { started: () => Promise.reject(new Error('password=hunter2')) },
      async (client, rig) => {
        const { isError, text } = await client.call('ask_human', ASK);
        assert.equal(isError, true);
        assert.match(text, /^internal: /);
        assert.equal(`${text}${rig.logged()}`.includes('hunter2'), false);
        assert.match(rig.logged(), /unexpected error/);
      },
    ));

  for (const kind of KINDS) {
    it(`is closed to ${kind} without a key, or with a wrong one [AM-45]`, () =>
      withDoor({}, async (url, rig) => {
        for (const key of ['', 'wrong-key-0123456789']) {
          await assert.rejects(
            withClient(kind, { url, key }, async () => undefined),
            /401|error:unauthenticated/,
          );
        }
        assert.deepEqual([rig.sent, rig.asked], [[], []]);
      }));
  }

  it('challenges whoever has no key as every route does', () =>
    withDoor({}, async (url) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(url, { method: 'POST', headers, body: '{}' });
      assert.equal(reply.status, 401);
      assert.match(reply.headers.get('www-authenticate') ?? '', /ApiKey/);
      assert.equal(((await reply.json()) as { code: string }).code, 'unauthenticated');
    }));

  it('is for agents and admins only', () =>
    withDoor({}, async (url, rig) => {
      for (const key of ['operator', 'auditor', 'user'] as const) {
        const client = withClient(CURRENT, { url, key: KEYS[key] }, async () => undefined);
        await assert.rejects(client, /403/, key);
      }
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
      await withClient(CURRENT, { url, key: KEYS.admin }, async (client) => {
        assert.equal((await client.call('ask_human', ASK)).isError, false);
      });
    }));

  it('has no tool that answers or lists [AM-45]', () =>
    asAgent({}, async (client, rig) => {
      for (const name of ['answer', 'respond', 'list_questions', 'approve']) {
        const called = await client.call(name, TICKET).catch(() => ({ isError: true }));
        assert.equal(called.isError, true);
      }
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    }));

  it('opens no streams', () =>
    withDoor({}, async (url) => {
      const reply = await fetch(url, { headers: { 'X-API-Key': KEYS.agent } });
      assert.equal(reply.status, 405);
      assert.equal(reply.headers.get('allow'), 'POST');
    }));

  it('counts its requests and its waits as those of every route', () =>
    withDoor(
      {
        outcome: hanging,
      },
      async (url) => {
        await withClient(CURRENT, { url, key: KEYS.agent }, async (client) => {
          const first = client.call('get_human_answer', TICKET).catch(() => undefined);
          const second = client.call('get_human_answer', TICKET);
          const refused = await Promise.race([first, second]);
          assert.equal(refused?.isError, true);
          assert.match(refused.text, /^too_many_long_polls: /);
        });
      },
      { limits: { long_polls: { per_principal: 1 } } },
    ));
});
