import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';
import { TOKEN } from '../../support/secrets.js';

const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
/** A wire needs two people, and a sale two stages, whichever API asks. */
const RULES = {
  rules: [
    { tool: 'wire', verdict: 'escalate', route: 'dual_approval' },
    { tool: 'sell', verdict: 'escalate', route: 'policy_pack', pack: 'shares' },
  ],
  packs: { shares: { stages: [{ name: 'team' }, { name: 'board' }] } },
};

interface Wire {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

describe('an approval that the OpenIntent API opens', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ approvals: RULES });
  });
  after(() => stack.close());

  async function newIntent(policy?: object): Promise<string> {
    const body = { title: 'Refund', status: 'active', governance_policy: policy };
    return (await stack.post('/api/v1/intents', 'agent', body).expect(200)).body.id as string;
  }
  const pathOf = (intent: string) => `/api/v1/intents/${intent}/approvals`;
  const request = async (intent: string, body: object, as: KeyName = 'agent'): Promise<Wire> => {
    const asked = await stack.post(pathOf(intent), as, { action: 'pay', ...body });
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    return asked.body as Wire;
  };
  const decide = (
    intent: string,
    { id }: Pick<Wire, 'id'>,
    verb: string,
    as: KeyName = 'operator',
  ) => stack.post(`${pathOf(intent)}/${id}/${verb}`, as, {});
  const read = async (intent: string, { id }: Pick<Wire, 'id'>) =>
    (await stack.get(`${pathOf(intent)}/${id}`).expect(200)).body as Wire;
  const eventsOf = async (intent: string) =>
    (
      await readFresh<{ events: IntentEvent[] }>(stack, `/v1/intents/${intent}/events`)
    ).events.toReversed();
  const complete = async (intent: string) => {
    const { version } = (await stack.get(`/api/v1/intents/${intent}`)).body;
    const body = { status: 'completed' };
    return stack.post(`/api/v1/intents/${intent}/status`, 'agent', body, { 'If-Match': version });
  };

  it('is one of both APIs, with what was asked in its proposal [A54-05] [A54-13]', async () => {
    const intent = await newIntent();
    const given = { reason: 'due', context: { amount: 5 }, requested_by: 'refunder' };
    const asked = await request(intent, given);
    const { id, created_at, ...shown } = asked;
    const expected = { ...given, action: 'pay', intent_id: intent, status: 'pending' };
    assert.deepEqual(shown, expected);
    assert.match(String(created_at), NAIVE);
    assert.deepEqual(await read(intent, asked), asked);
    const view = (await stack.get(`/v1/approvals/${id}`)).body;
    const { route, calls, visible_context } = view.proposal;
    assert.deepEqual([view.intent_id, view.asked_by, route], [intent, 'agent-1', 'human_required']);
    assert.deepEqual(calls, [{ id: 'action', tool: 'pay', arguments: { amount: 5 } }]);
    assert.deepEqual(visible_context, { reason: 'due', requested_by: 'refunder' });
    const logged = (await eventsOf(intent)).at(-1);
    const { approval_id, action, proposal_hash } = logged?.payload ?? {};
    assert.equal(logged?.event_type, 'approval_requested');
    assert.deepEqual([approval_id, action, proposal_hash], [id, 'pay', view.proposal_hash]);
    const { status } = await stack.get(`/v1/suspensions/${String(view.suspension_id)}`, 'operator');
    assert.equal(status, 200);
  });

  for (const [verb, status, type] of [
    ['approve', 'approved', 'governance.approval_granted'],
    ['deny', 'denied', 'governance.approval_denied'],
  ] as const) {
    it(`takes ${verb} as a vote, and the log has it at once`, async () => {
      const intent = await newIntent();
      const asked = await request(intent, { requested_by: 'refunder' });
      const decided = (await decide(intent, asked, verb).expect(200)).body as Wire;
      assert.deepEqual([decided.status, decided['decided_by']], [status, 'alice']);
      assert.match(String(decided['decided_at']), NAIVE);
      assert.deepEqual(await read(intent, asked), decided);
      const events = await eventsOf(intent);
      const told = events.map(({ event_type }) => event_type).slice(-4);
      assert.deepEqual(told, ['approval_requested', 'approval_vote', 'approval_resolved', type]);
      const { run_id: _run, proposal_hash: _hash, ...payload } = events.at(-1)?.payload ?? {};
      assert.deepEqual(payload, {
        approval_id: asked.id,
        action: 'pay',
        status,
        by: 'people',
        requested_by: 'refunder',
        decided_by: 'alice',
      });
      const late = await decide(intent, asked, 'deny', 'admin');
      const detail = `Approval is already '${status}', cannot deny`;
      assert.deepEqual([late.status, late.body], [409, { detail, code: 'invalid_transition' }]);
      assert.equal((await eventsOf(intent)).length, events.length);
    });
  }

  it('counts one of several decisions that come at once [A54-17]', async () => {
    const intent = await newIntent();
    const asked = await request(intent, {});
    const verbs = ['approve', 'deny', 'approve', 'deny'];
    const replies = await Promise.all(verbs.map((verb) => decide(intent, asked, verb)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409, 409, 409], JSON.stringify(replies));
    const won = replies.find(({ status }) => status === 200)?.body as Wire;
    for (const { status, body } of replies) {
      if (status !== 200) assert.match(String(body.detail), new RegExp(`already '${won.status}'`));
    }
    const decisions = (await eventsOf(intent)).filter(({ event_type: type }) =>
      type.startsWith('governance.approval_'),
    );
    assert.equal(decisions.length, 1);
  });

  it('is decided neither by who asked nor by a key of an agent [AM-49] [AM-66] [R25-99]', async () => {
    const intent = await newIntent();
    const asked = await request(intent, { requested_by: 'somebody else' }, 'admin');
    for (const [as, code] of [
      ['admin', 'not_eligible'],
      ['agent', 'forbidden'],
      ['agent2', 'forbidden'],
      ['user', 'forbidden'],
    ] as const) {
      for (const verb of ['approve', 'deny']) {
        const refused = await decide(intent, asked, verb, as);
        assert.deepEqual([refused.status, refused.body.code], [403, code], as);
      }
    }
    assert.equal((await read(intent, asked)).status, 'pending');
    assert.equal((await eventsOf(intent)).at(-1)?.event_type, 'approval_requested');
    await decide(intent, asked, 'approve').expect(200);
  });

  it('is not there under an id that nothing has, nor under another intent', async () => {
    const [intent, other] = [await newIntent(), await newIntent()];
    const asked = await request(intent, {});
    const { id: event } = (await eventsOf(intent)).at(-1) ?? { id: '' };
    for (const [where, id] of [
      [intent, 'nothing'],
      [intent, randomUUID()],
      [intent, event],
      [other, asked.id],
    ] as const) {
      const replies = [
        await stack.get(`${pathOf(where)}/${id}`),
        await decide(where, { id }, 'approve'),
      ];
      for (const { status, body } of replies) {
        const detail = 'Approval not found';
        assert.deepEqual([status, body], [404, { detail, code: 'not_found' }]);
      }
    }
    assert.equal((await read(intent, asked)).status, 'pending');
  });

  it('holds up a governed intent, and releases it', async () => {
    const intent = await newIntent({ completion_mode: 'require_approval' });
    const unrelated = await request(intent, { action: 'pay' });
    await decide(intent, unrelated, 'approve').expect(200);
    const denied = await request(intent, { action: 'complete' });
    await decide(intent, denied, 'deny').expect(200);
    const asked = await request(intent, { action: 'complete' });
    const held = await complete(intent);
    assert.deepEqual([held.status, held.body.code], [403, 'governance_violation']);
    await decide(intent, asked, 'approve').expect(200);
    assert.equal((await complete(intent)).body.status, 'completed');
  });

  it('waits for the second person where a rule demands one [A54-06] [A54-07]', async () => {
    const intent = await newIntent();
    const asked = await request(intent, { action: 'wire' });
    for (let sent = 0; sent < 2; sent += 1) {
      const counted = await decide(intent, asked, 'approve').expect(200);
      assert.equal(counted.body.status, 'pending');
    }
    const changed = await decide(intent, asked, 'deny');
    assert.deepEqual([changed.status, changed.body.code], [409, 'already_voted']);
    const decided = await decide(intent, asked, 'approve', 'admin').expect(200);
    assert.equal(decided.body.status, 'approved');
  });

  it('takes a vote for the first stage, and none that is sent again for the next', async () => {
    const intent = await newIntent();
    const asked = await request(intent, { action: 'sell' });
    const counted = await decide(intent, asked, 'approve').expect(200);
    assert.equal(counted.body.status, 'pending');
    for (const [verb, as, own] of [
      ['approve', 'operator', true],
      ['deny', 'operator', true],
      ['approve', 'admin', false],
    ] as const) {
      const { status, body } = await decide(intent, asked, verb, as);
      assert.deepEqual([status, body.code], [409, 'stage_mismatch']);
      assert.match(body.detail, /Stage 1 is open now.* in \/v1, with the suspension_id/);
      assert.equal(/Your earlier vote counts: approved/.test(body.detail), own);
    }
    const { stage, suspension_id, proposal_hash } = (await stack.get(`/v1/approvals/${asked.id}`))
      .body;
    assert.equal(stage, 1);
    const vote = { value: 'approved', proposal_hash };
    await stack.post(`/v1/suspensions/${suspension_id}/respond`, 'operator', vote).expect(200);
    await lookUntil(
      async () => (await read(intent, asked)).status === 'approved',
      'the second stage approves nothing',
    );
    const late = await decide(intent, asked, 'approve');
    assert.equal(late.body.detail, "Approval is already 'approved', cannot approve");
  });

  it('is shown as it was edited, everywhere, and not approved in the version before [A54-11] [A54-20]', async () => {
    const intent = await newIntent();
    const asked = await request(intent, { action: 'wire', context: { amount: 5 } });
    const { suspension_id, proposal_hash } = (await stack.get(`/v1/approvals/${asked.id}`)).body;
    const edits = [{ call_id: 'action', arguments: { amount: 9 } }];
    const vote = { value: 'approved', proposal_hash, edits };
    await stack.post(`/v1/suspensions/${suspension_id}/respond`, 'admin', vote).expect(200);
    const refused = await decide(intent, asked, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [409, 'proposal_hash_mismatch']);
    const { status, context } = await read(intent, asked);
    assert.deepEqual([status, context], ['pending', { amount: 9 }]);
    const alone = (await stack.get(`/v1/approvals/${asked.id}`)).body;
    const { approvals } = (await stack.get(`/v1/approvals?intent_id=${intent}`)).body;
    const question = (await stack.get(`/v1/suspensions/${suspension_id}`)).body.record.approval;
    for (const { proposal, proposal_hash: hash } of [alone, approvals[0]]) {
      assert.deepEqual([proposal, hash], [question.proposal, question.proposal_hash]);
      assert.deepEqual(proposal.calls[0].arguments, { amount: 9 });
    }
  });

  it('may come from the other API, whose user decides it there', async () => {
    const intent_id = await newIntent();
    const calls = [{ id: 'c', tool: 'mail', arguments: { to: 'ada' } }];
    const body = { run_id: 'run-7', decider: 'ursula', intent_id, calls };
    const { request_id: id } = (await stack.post('/v1/approvals', 'agent', body)).body;
    const shown = await read(intent_id, { id });
    assert.deepEqual([shown['action'], shown['context']], ['mail', { to: 'ada' }]);
    const refused = await decide(intent_id, { id }, 'approve');
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_eligible']);
    const resume = `/v1/requests/${id}/resume`;
    await stack.post(resume, 'user', { action: 'approve' }).expect(200);
    assert.deepEqual((await read(intent_id, { id }))['decided_by'], 'ursula');
  });

  it('is refused for a closed intent, for one that is not there, and with a secret', async () => {
    const intent = await newIntent();
    assert.equal((await complete(intent)).status, 200);
    const before = (await stack.get('/v1/approvals', 'operator')).body.approvals;
    const secret = { action: 'pay', context: { token: TOKEN } };
    for (const [where, body, status, code] of [
      [intent, { action: 'pay' }, 409, 'intent_closed'],
      [randomUUID(), { action: 'pay' }, 404, 'intent_not_found'],
      [await newIntent(), secret, 422, 'secret_refused'],
    ] as const) {
      const refused = await stack.post(pathOf(where), 'agent', body);
      assert.deepEqual([refused.status, refused.body.code], [status, code]);
    }
    assert.deepEqual((await stack.get('/v1/approvals', 'operator')).body.approvals, before);
  });
});
