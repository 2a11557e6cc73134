import { randomUUID } from 'node:crypto';
import { REFUND } from '../../support/real-stack.js';
import { CALLS, type Made, type Scene } from './keyed-writes.js';

const GUARDED = { question: 'Go?', response_type: 'text' };

/** By method and path, each write of `/v1` to questions and approvals that takes the header. */
export const QUESTION_WRITES: Readonly<Record<string, Scene>> = {
  'post /suspensions': async (on) => ({
    path: '/v1/suspensions',
    body: REFUND,
    other: { ...REFUND, question: 'Another?' },
    moves: true,
    effect: async () => (await on.read('/v1/suspensions/counts'))['pending'],
  }),
  'post /intents/:intentId/suspend': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/suspend`,
      body: REFUND,
      other: { ...REFUND, question: 'Another?' },
      moves: true,
      effect: () => on.events(id, 'intent.suspended'),
    };
  },
  'post /suspensions/:suspensionId/cancel': async (on) => ({
    path: `/v1/suspensions/${await on.question()}/cancel`,
    body: { reason: 'not needed' },
    other: { reason: 'another' },
  }),
  'post /intents/:intentId/suspend/cancel': async (on) => {
    const id = await on.intent();
    const suspension_id = await on.of(`/v1/intents/${id}/suspend`, REFUND);
    return {
      path: `/v1/intents/${id}/suspend/cancel`,
      body: { suspension_id, reason: 'not needed' },
      other: { suspension_id, reason: 'another' },
      effect: () => on.events(id, 'intent.suspension_cancelled'),
    };
  },
  'post /suspensions/:suspensionId/respond': async (on) => ({
    path: `/v1/suspensions/${await on.question()}/respond`,
    as: 'operator',
    body: { value: 'approve' },
    other: { value: 'deny' },
  }),
  'post /intents/:intentId/suspend/respond': async (on) => {
    const id = await on.intent();
    const suspension_id = await on.of(`/v1/intents/${id}/suspend`, REFUND);
    return {
      path: `/v1/intents/${id}/suspend/respond`,
      as: 'operator',
      body: { suspension_id, value: 'approve' },
      other: { suspension_id, value: 'deny' },
      effect: () => on.events(id, 'intent.resumed'),
    };
  },
  'post /suspensions/:suspensionId/resume': async (on) => ({
    path: `/v1/suspensions/${await on.question()}/resume`,
    as: 'operator',
    body: { value: 'approve' },
    other: { value: 'deny' },
  }),
  'put /suspensions/:suspensionId/eligibility': async (on) => {
    const id = await on.question();
    return {
      path: `/v1/suspensions/${id}/eligibility`,
      as: 'admin',
      body: { eligible: { principals: ['alice'] } },
      other: { eligible: { principals: ['greta'] } },
      effect: () => changes(on, id, 'eligibility_changed'),
    };
  },
  'post /intents/:intentId/engagement': async (on) => {
    const id = await on.intent();
    const signals = { confidence: 0.9, risk: 0.1, reversibility: 0.9 };
    return {
      path: `/v1/intents/${id}/engagement`,
      body: signals,
      other: { ...signals, risk: 0.9 },
      effect: () => on.events(id, 'engagement.decision'),
    };
  },
  'post /suspensions/:suspensionId/claim': async (on) => {
    const id = await on.question();
    return {
      path: `/v1/suspensions/${id}/claim`,
      as: 'operator',
      body: {},
      other: { question_version: 1 },
      effect: () => changes(on, id, 'claimed'),
    };
  },
  'post /suspensions/:suspensionId/release': async (on) => {
    const id = await on.question();
    await on.of(`/v1/suspensions/${id}/claim`, {}, 'operator');
    return {
      path: `/v1/suspensions/${id}/release`,
      as: 'operator',
      body: {},
      other: { what: 'claim' },
      effect: () => changes(on, id, 'released'),
    };
  },
  'post /suspensions/:suspensionId/comments': async (on) => {
    const id = await on.question();
    return {
      path: `/v1/suspensions/${id}/comments`,
      as: 'operator',
      body: { text: 'She called twice.' },
      other: { text: 'She called once.' },
      effect: () => changes(on, id, 'commented'),
    };
  },
  'post /suspensions/:suspensionId/delegate': async (on) => {
    const rule = { eligible: { principals: ['alice'] } };
    const id = await on.question({ ...REFUND, decision_rule: rule });
    return {
      path: `/v1/suspensions/${id}/delegate`,
      as: 'operator',
      body: { to: 'greta', reason: 'She knows.' },
      other: { to: 'greta', reason: 'Away.' },
      effect: () => changes(on, id, 'delegated'),
    };
  },
  'post /suspensions/respond': async (on) => {
    const suspension_ids = [await on.question(), await on.question()];
    return {
      path: '/v1/suspensions/respond',
      as: 'operator',
      body: {
        answers: suspension_ids.map((suspension_id) => ({ suspension_id })),
        value: 'approve',
      },
    };
  },
  'patch /suspensions/:suspensionId': async (on) => {
    const id = await on.question(GUARDED);
    return {
      path: `/v1/suspensions/${id}`,
      body: { question: 'Go on?', question_version: 1 },
      other: { question: 'Stop?', question_version: 1 },
      effect: () => changes(on, id, 'amended'),
    };
  },
  'post /approvals': async () => {
    const body = { run_id: randomUUID(), decider: 'ursula', calls: CALLS };
    return {
      path: '/v1/approvals',
      body,
      other: { ...body, calls: [{ ...CALLS[0], arguments: { to: 'DE2' } }] },
    };
  },
  'post /requests/:requestId/resume': async (on) => ({
    path: `/v1/requests/${await on.approval(false)}/resume`,
    as: 'user',
    body: { action: 'approve' },
    other: { action: 'reject' },
  }),
  'post /approvals/:approvalId/redeem': async (on) => ({
    path: `/v1/approvals/${await on.approval()}/redeem`,
    body: { call_id: 'call-1', holder: 'p1' },
    other: { call_id: 'call-1', holder: 'p2' },
  }),
  'post /approvals/:approvalId/mutations': async (on) => ({
    path: `/v1/approvals/${await on.approval()}/mutations`,
    body: { call_id: 'call-1', arguments_hash: '0'.repeat(64) },
    other: { call_id: 'call-1', arguments_hash: '1'.repeat(64) },
  }),
  'post /approvals/:approvalId/complete': async (on) => {
    const id = await on.approval();
    const redeemed = await on.stack.post(`/v1/approvals/${id}/redeem`, 'agent', {
      call_id: 'call-1',
      holder: 'p1',
    });
    const { token } = redeemed.body as { token: number };
    return {
      path: `/v1/approvals/${id}/complete`,
      body: { call_id: 'call-1', token, result: { paid: true } },
      other: { call_id: 'call-1', token, result: { paid: false } },
    };
  },
  'post /approvals/:approvalId/checkpoint/claim': async (on) => ({
    path: `/v1/approvals/${await on.approval()}/checkpoint/claim`,
    body: { holder: 'p1' },
    other: { holder: 'p2' },
  }),
  'post /approvals/:approvalId/checkpoint/finish': async (on) => {
    const id = await on.approval();
    const claimed = await on.stack.post(`/v1/approvals/${id}/checkpoint/claim`, 'agent', {
      holder: 'p1',
    });
    const { token } = claimed.body as { token: number };
    return {
      path: `/v1/approvals/${id}/checkpoint/finish`,
      body: { token },
      other: { token: token + 1 },
    };
  },
  'post /approvals/:approvalId/withdraw': async (on) => ({
    path: `/v1/approvals/${await on.approval(false)}/withdraw`,
    body: { reason: 'not needed' },
    other: { reason: 'another' },
  }),
};

/** How many entries of a kind the timeline of a question has. */
async function changes(on: Made, id: string, kind: string): Promise<number> {
  const { timeline } = (await on.read(`/v1/suspensions/${id}`)) as {
    timeline: readonly { kind: string }[];
  };
  return timeline.filter((entry) => entry.kind === kind).length;
}
