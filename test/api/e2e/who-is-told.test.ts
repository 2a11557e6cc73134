import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { startPostbox } from '../../support/smtp.js';
import type { Arrived, Postbox } from '../../support/smtp.js';
import { REFUND, RealStack, createIntent } from '../../support/real-stack.js';

const LINK = /inbox\/link#/;
const only = (...principals: string[]) => ({ eligible: { principals } });
const byOnly = (...principals: string[]) => ({ approvers: { principals } });

/** One attempt, which tells somebody by mail. */
const rung = (notify_to: string, more: object = {}) => ({
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'mail', notify_to, ...more }],
});

describe('whom a question tells by mail', () => {
  let postbox: Postbox;
  let stack: RealStack;
  before(async () => {
    postbox = await startPostbox();
    stack = await RealStack.start({
      directory: {
        people: {
          alice: { email: 'alice@example.com' },
          bo: { email: 'bo@example.com' },
          greta: { name: 'Greta', email: 'greta@example.com' },
          ursula: { email: 'ursula@example.com' },
          nadia: {},
        },
        groups: { leads: ['bo', 'greta'] },
      },
      public_url: 'https://hold.example.com',
      notifications: {
        default_channel: 'mail',
        channels: {
          mail: {
            type: 'email',
            smtp: postbox.url,
            from: 'holdpoint@example.com',
            allow_plain: true,
            to: 'alice',
          },
        },
      },
      approvals: {
        rules: [
          { tool: 'wire', verdict: 'escalate', route: 'policy_pack', pack: 'treasury' },
          { tool: 'pay', verdict: 'escalate', route: 'dual_approval' },
        ],
        packs: { treasury: { stages: [byOnly('alice'), byOnly('greta')] } },
        routes: { dual_approval: { approvers: { groups: ['leads'] } } },
      },
    });
  });
  after(async () => {
    await stack.close();
    await postbox.close();
  });

  async function ask(more: object): Promise<SuspensionView> {
    const asked = await stack.post('/v1/suspensions', 'agent', { ...REFUND, ...more });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body as SuspensionView;
  }

  /** Opens an approval of a call, and returns its first question. */
  async function propose(tool: string, prompt: string, more: object = {}): Promise<string> {
    const opened = await stack.post('/v1/approvals', 'agent', {
      run_id: `run-${tool}`,
      kind: 'tool_approval',
      prompt,
      calls: [{ id: 'c1', tool, arguments: { amount: 5 } }],
      ...more,
    });
    assert.equal(opened.status, 202, JSON.stringify(opened.body));
    return String(opened.body.suspension_id);
  }

  const viewOf = async (id: string) =>
    (await stack.get(`/v1/suspensions/${id}`)).body as SuspensionView;

  /** The mails about a text once all deliveries of its question have ended, by recipient. */
  async function mailsOf(text: string, id: string): Promise<Record<string, Arrived>> {
    await lookUntil(async () => {
      const { timeline } = await viewOf(id);
      return timeline.some(({ kind }) => kind === 'delivered' || kind === 'delivery_failed');
    }, `${text} is not delivered`);
    const mails = postbox.mails.filter(({ subject }) => subject?.includes(text));
    const names = mails.map((mail) => [mail.recipients[0]?.split('@')[0] ?? '', mail] as const);
    assert.equal(new Set(names.map(([name]) => name)).size, names.length, 'nobody has it twice');
    return Object.fromEntries(names.sort());
  }

  it('are those whom its rule names, and not those of the channel', async () => {
    const { id } = await ask({ question: 'To the rule?', decision_rule: only('greta') });
    const mails = await mailsOf('To the rule?', id);
    assert.deepEqual(Object.keys(mails), ['greta']);
    assert.match(mails['greta']?.text ?? '', LINK);
  });

  it('are the approvers of the second stage once the first has approved', async () => {
    const first = await propose('wire', 'Wire it?');
    assert.deepEqual(Object.keys(await mailsOf('Wire it?', first)), ['alice']);
    const { record } = await viewOf(first);
    const voted = await stack.post(`/v1/suspensions/${first}/respond`, 'operator', {
      value: 'approved',
      proposal_hash: record.approval?.proposal_hash,
    });
    assert.equal(voted.status, 200, JSON.stringify(voted.body));
    await postbox.arrived(postbox.mails.length + 1);
    const open = await stack.get('/v1/suspensions?state=pending', 'admin');
    const second = (open.body.suspensions as SuspensionView[]).find(
      ({ id, record: { question } }) => id !== first && question === 'Wire it?',
    );
    const mails = await mailsOf('Wire it?', second?.id ?? '');
    assert.deepEqual(Object.keys(mails), ['alice', 'greta']);
    assert.match(mails['greta']?.text ?? '', LINK);
  });

  it('are the approvers of a route', async () => {
    const id = await propose('pay', 'Pay it?');
    assert.deepEqual(Object.keys(await mailsOf('Pay it?', id)), ['bo', 'greta']);
  });

  it('is the user who decides', async () => {
    const id = await propose('mail', 'Mail it?', { decider: 'ursula' });
    assert.deepEqual(Object.keys(await mailsOf('Mail it?', id)), ['ursula']);
  });

  it('are the approvers of a checkpoint of a plan', async () => {
    const intent_id = (await createIntent(stack)).slice('/v1/intents/'.length);
    const plan = await stack.post('/v1/plans', 'agent', {
      intent_id,
      tasks: [{ name: 'draft' }, { name: 'send', depends_on: ['draft'] }],
      checkpoints: [{ name: 'Send it', after_task: 'draft', approvers: ['greta'] }],
      state: 'active',
    });
    assert.equal(plan.status, 201, JSON.stringify(plan.body));
    const path = `/v1/tasks/${(plan.body.tasks as string[])[0]}`;
    const isReady = async () => (await stack.get(path)).body.status === 'ready';
    await lookUntil(isReady, 'the task is not ready');
    await stack.post(`${path}/claim`, 'agent', {});
    for (const change of [{ status: 'running' }, { status: 'completed', output: {} }]) {
      const { version } = (await stack.get(path)).body as { version: number };
      await stack.patch(path, 'agent', change, { 'If-Match': String(version) });
    }
    const asked = await lookUntil(async () => {
      const { body } = await stack.get('/v1/suspensions?state=pending', 'admin');
      return (body.suspensions as SuspensionView[]).find(({ record }) =>
        record.question.includes('Send it'),
      );
    }, 'the checkpoint does not ask');
    assert.deepEqual(Object.keys(await mailsOf('Send it', asked.id)), ['greta']);
  });

  it('are those who may answer, besides somebody who may not and is told so', async () => {
    const asked = await ask({
      question: 'Escalated in vain?',
      decision_rule: only('greta'),
      retry_policy: rung('bo'),
    });
    assert.deepEqual(asked.warnings, ['The ladder notifies bo, who may not answer.']);
    const { bo, greta, ...others } = await mailsOf('Escalated in vain?', asked.id);
    assert.deepEqual(Object.keys(others), []);
    assert.match(greta?.text ?? '', LINK);
    assert.doesNotMatch(bo?.text ?? '', LINK);
    assert.match(bo?.text ?? '', /You cannot answer it\. Who can:\s*> ?greta/);
  });

  it('is warned of over the OpenIntent API too, and when a question is amended', async () => {
    const intent = (await createIntent(stack)).slice('/v1/intents/'.length);
    const id = randomUUID();
    const value = {
      id,
      question: 'In vain, from the SDK?',
      response_type: 'choice',
      choices: [{ value: 'yes', label: 'Yes' }],
      suspended_at: new Date().toISOString(),
      fallback_policy: 'fail',
      decision_rule: only('greta'),
      retry_policy: rung('bo'),
    };
    const path = `/api/v1/intents/${intent}`;
    const write = async (at: string, body: object) => {
      const { version } = (await stack.get(path, 'agent')).body as { version: number };
      const headers = { 'X-Agent-ID': 'refunder', 'If-Match': String(version) };
      const reply = await stack.post(`${path}/${at}`, 'agent', body, headers);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
    };
    await write('state', { patches: [{ op: 'set', path: '_suspension', value }] });
    await write('status', { status: 'suspended_awaiting_input' });
    const said = ['The ladder notifies bo, who may not answer.'];
    assert.deepEqual((await viewOf(id)).warnings, said);
    const amended = await stack.patch(`/v1/suspensions/${id}`, 'agent', {
      question: 'Still in vain?',
      question_version: 1,
    });
    assert.equal(amended.status, 200, JSON.stringify(amended.body));
    assert.deepEqual((amended.body as SuspensionView).warnings, said);
  });

  it('are all whom a rung makes eligible, whomever it notifies', async () => {
    const { id, warnings } = await ask({
      question: 'To the rung?',
      decision_rule: only('alice'),
      retry_policy: rung('bo', { eligible: { groups: ['leads'] } }),
    });
    assert.equal(warnings, undefined);
    assert.deepEqual(Object.keys(await mailsOf('To the rung?', id)), ['bo', 'greta']);
  });

  it('are those who become eligible, and not those who were before', async () => {
    const { id } = await ask({ question: 'To others?', decision_rule: only('alice') });
    await mailsOf('To others?', id);
    const changed = await stack.put(`/v1/suspensions/${id}/eligibility`, 'admin', {
      eligible: { principals: ['alice', 'greta'] },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await lookUntil(
      async () => (await viewOf(id)).timeline.filter(({ kind }) => kind === 'delivered').length > 1,
      'nobody new is told',
    );
    const mails = await mailsOf('To others?', id);
    assert.deepEqual(Object.keys(mails), ['alice', 'greta']);
    assert.match(mails['greta']?.text ?? '', LINK);
  });

  it('is nobody where no channel reaches them: asker, inbox and timeline say so', async () => {
    const asked = await ask({ question: 'To nobody?', decision_rule: only('nadia') });
    assert.deepEqual(asked.warnings, ['No channel reaches anybody who may answer.']);
    assert.deepEqual(await mailsOf('To nobody?', asked.id), {});
    const { timeline, warnings } = await viewOf(asked.id);
    const failed = timeline.find(({ kind }) => kind === 'delivery_failed');
    assert.equal(failed?.detail['error'], 'address_missing');
    assert.deepEqual(warnings, [
      'No channel reaches anybody who may answer.',
      'Attempt 1 told nobody who may answer: address_missing.',
    ]);
  });

  it('are those of the channel, in vain, where the rule names somebody whom it cannot reach', async () => {
    const asked = await ask({ question: 'To an admin?', decision_rule: only('root') });
    assert.deepEqual(asked.warnings, ['No channel reaches anybody who may answer.']);
    const { alice, ...others } = await mailsOf('To an admin?', asked.id);
    assert.deepEqual(Object.keys(others), []);
    assert.match(alice?.text ?? '', /You cannot answer it\. Who can:\s*> ?root/);
    const failed = (await viewOf(asked.id)).timeline.find(({ kind }) => kind === 'delivery_failed');
    assert.equal(failed?.detail['error'], 'nobody_may_decide');
  });
});
