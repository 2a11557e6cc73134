import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import { scriptOf } from '../../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Made up, and used nowhere else. */
const SECRET = `whsec_${Buffer.alloc(32, 'doors').toString('base64')}`;
const run = promisify(execFile);

/** An approval that has asked its question. */
interface Open {
  readonly suspension_id: string;
  readonly proposal_hash: string;
}

describe('where an approver decides', () => {
  let stack: RealStack;
  let home = '';
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'holdpoint-home-'));
    stack = await RealStack.start({
      directory: { people: { alice: { email: 'alice@example.com' } } },
      notifications: {
        default_channel: 'console',
        channels: {
          console: { type: 'console' },
          ops: {
            type: 'webhook',
            url: 'https://ops.example.com',
            secrets: [SECRET],
            answers: { secrets: [SECRET], people: ['alice'] },
          },
        },
      },
    });
  });
  after(async () => {
    await stack.close();
    await rm(home, { recursive: true, force: true });
  });

  const read = async (id: string): Promise<ApprovalView> =>
    (await stack.get(`/v1/approvals/${id}`)).body as ApprovalView;

  /** A wire that waits for a person. */
  async function opened(): Promise<Open & { readonly id: string }> {
    const calls = [{ id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } }];
    const asked = await stack.post('/v1/approvals', 'agent', { run_id: randomUUID(), calls });
    const id = String(asked.body.request_id);
    return lookUntil(async () => {
      const { suspension_id, proposal_hash } = await read(id);
      if (!suspension_id) return undefined;
      const { status } = await stack.get(`/v1/suspensions/${suspension_id}`);
      return status === 200 ? { id, suspension_id, proposal_hash } : undefined;
    }, 'the approval has not asked');
  }

  const BY_DOOR: Readonly<Record<string, (open: Open) => Promise<void>>> = {
    async api({ suspension_id, proposal_hash }) {
      const body = { value: 'approved', proposal_hash };
      const reply = await stack.post(`/v1/suspensions/${suspension_id}/respond`, 'operator', body);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
    },
    async inbox({ suspension_id, proposal_hash }) {
      const origin = { Origin: stack.url };
      const session = await request(stack.url)
        .post('/session')
        .set(origin)
        .send({ key: KEYS.operator.key });
      const [cookie = ''] = session.get('Set-Cookie') ?? [];
      const reply = await request(stack.url)
        .post(`/v1/suspensions/${suspension_id}/respond`)
        .set({ ...origin, Cookie: cookie.split(';', 1).join(), 'X-CSRF-Token': session.body.csrf })
        .send({ value: 'approved', proposal_hash });
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
    },
    async 'command line'({ suspension_id, proposal_hash }) {
      const args = [scriptOf('service/cli.ts'), 'approve', suspension_id];
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        HOLDPOINT_URL: stack.url,
        HOLDPOINT_API_KEY: KEYS.operator.key,
      };
      await run(process.execPath, [...args, '--hash', proposal_hash, '--yes'], { cwd: ROOT, env });
    },
    async webhook({ suspension_id, proposal_hash }) {
      const decision = { suspension_id, person: 'alice', value: 'approved', proposal_hash };
      const body = JSON.stringify(decision);
      const at = new Date();
      const reply = await request(stack.url)
        .post('/v1/webhooks/answers')
        .set({
          'Content-Type': 'application/json',
          'webhook-id': `msg-${suspension_id}`,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(SECRET).sign(`msg-${suspension_id}`, at, body),
        })
        .send(body);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
    },
  };

  /** What was decided, by whom and on what, without when. */
  async function decided(id: string) {
    const view = await lookUntil(async () => {
      const found = await read(id);
      return found.status === 'approved' ? found : undefined;
    }, 'nothing is decided');
    const { status, by, approvers = [], proposal_hash, respondent } = view.resolution ?? {};
    assert.equal(proposal_hash, view.proposal_hash);
    const people = approvers.map(({ principal, actor, decision }) => [principal, actor, decision]);
    return { status, by, people, respondent };
  }

  it('leads to the same decision: inbox, API, command line and webhook [A54-16]', async () => {
    const decisions: unknown[] = [];
    for (const [door, decide] of Object.entries(BY_DOOR)) {
      const open = await opened();
      await decide(open);
      decisions.push([door, await decided(open.id)]);
    }
    const same = {
      status: 'approved',
      by: 'people',
      people: [['alice', 'alice', 'approved']],
      respondent: 'alice',
    };
    assert.deepEqual(
      decisions,
      Object.keys(BY_DOOR).map((door) => [door, same]),
    );
  });
});
