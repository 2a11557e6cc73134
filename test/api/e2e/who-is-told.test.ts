import assert from 'node:assert/strict';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { startPostbox, type Arrived, type Postbox } from '../../support/smtp.js';
import { REFUND, RealStack } from '../../support/real-stack.js';

const LINK = /inbox\/link#/;
const only = (...principals: string[]) => ({ eligible: { principals } });
const byOnly = (...principals: string[]) => ({ approvers: { principals } });

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
});
