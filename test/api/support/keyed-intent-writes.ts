import assert from 'node:assert/strict';
import type { Scene } from './keyed-writes.js';

/** By method and path, each other write of `/v1` that takes the header. */
export const OTHER_WRITES: Readonly<Record<string, Scene>> = {
  'post /intents': async () => ({
    path: '/v1/intents',
    body: { title: 'Refund' },
    other: { title: 'Another' },
  }),
  'post /intents/:intentId/status': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/status`,
      headers: { 'If-Match': '1' },
      body: { status: 'completed' },
      other: { status: 'abandoned' },
    };
  },
  'post /intents/:intentId/state': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/state`,
      headers: { 'If-Match': '1' },
      body: { state: { paid: true } },
      other: { state: { paid: false } },
      effect: async () => (await on.read(`/v1/intents/${id}`))['version'],
    };
  },
  'post /intents/:intentId/children': async (on) => ({
    path: `/v1/intents/${await on.intent()}/children`,
    body: { title: 'Refund' },
    other: { title: 'Another' },
  }),
  'post /intents/:intentId/dependencies': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/dependencies`,
      headers: { 'If-Match': '1' },
      body: { dependency_id: await on.intent() },
      other: { dependency_id: await on.intent() },
      effect: async () => (await on.read(`/v1/intents/${id}`))['version'],
    };
  },
  'delete /intents/:intentId/dependencies/:dependencyId': async (on) => {
    const [id, dependency_id] = [await on.intent(), await on.intent()];
    const path = `/v1/intents/${id}/dependencies`;
    await on.stack.post(path, 'agent', { dependency_id }, { 'If-Match': '1' });
    return { path: `${path}/${dependency_id}`, headers: { 'If-Match': '2' } };
  },
  'post /intents/:intentId/events': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/events`,
      body: { event_type: 'note', payload: { n: 1 } },
      other: { event_type: 'note', payload: { n: 2 } },
      effect: () => on.events(id, 'note'),
    };
  },
  'delete /intents/:intentId/personal-data': async (on) => ({
    path: `/v1/intents/${await on.intent()}/personal-data`,
    as: 'admin',
  }),
  'delete /suspensions/:suspensionId/personal-data': async (on) => {
    const id = await on.question();
    const { status } = await on.stack.post(`/v1/suspensions/${id}/cancel`, 'agent', {});
    assert.equal(status, 200);
    return { path: `/v1/suspensions/${id}/personal-data`, as: 'admin' };
  },
  'post /tasks': async (on) => {
    const intent_id = await on.intent();
    return {
      path: '/v1/tasks',
      body: { intent_id, name: 'review' },
      other: { intent_id, name: 'pay' },
      effect: async () => (await on.read(`/v1/intents/${intent_id}/tasks`))['tasks'],
    };
  },
  'patch /tasks/:taskId': async (on) => ({
    path: `/v1/tasks/${await on.task()}`,
    headers: { 'If-Match': '1' },
    body: { status: 'cancelled' },
    other: { status: 'running' },
  }),
  'post /tasks/:taskId/claim': async (on) => ({
    path: `/v1/tasks/${await on.task()}/claim`,
    body: {},
    other: { wait: true },
  }),
  'post /plans': async (on) => {
    const intent_id = await on.intent();
    return {
      path: '/v1/plans',
      body: { intent_id, tasks: [{ name: 'review' }] },
      other: { intent_id, tasks: [{ name: 'pay' }] },
    };
  },
  'patch /plans/:planId': async (on) => {
    const intent_id = await on.intent();
    const id = await on.of('/v1/plans', { intent_id, tasks: [{ name: 'review' }] });
    return {
      path: `/v1/plans/${id}`,
      headers: { 'If-Match': '1' },
      body: { state: 'active' },
      other: { state: 'cancelled' },
    };
  },
  'post /workflows': async () => ({
    path: '/v1/workflows',
    body: { title: 'Refunds', phases: { review: {} } },
    other: { title: 'Refunds', phases: { pay: {} } },
    moves: true,
  }),
  'post /subscriptions': async (on) => {
    const body = { webhook_url: 'https://example.com/hook' };
    return {
      path: '/v1/subscriptions',
      body,
      other: { ...body, subscriber_id: 'another' },
      effect: async () => (await on.read('/v1/subscriptions'))['subscriptions'],
    };
  },
  'delete /subscriptions/:subscriptionId': async (on) => {
    const id = await on.of('/v1/subscriptions', { webhook_url: 'https://example.com/hook' });
    return { path: `/v1/subscriptions/${id}` };
  },
  'post /intents/:intentId/leases': async (on) => {
    const id = await on.intent();
    const body = { scope: 'refunds', duration_seconds: 600 };
    return {
      path: `/v1/intents/${id}/leases`,
      body,
      other: { ...body, scope: 'payments' },
      effect: async () => (await on.read(`/v1/intents/${id}/leases`))['leases'],
    };
  },
  'patch /intents/:intentId/leases/:leaseId': async (on) => {
    const id = await on.intent();
    return {
      path: `/v1/intents/${id}/leases/${await on.lease(id)}`,
      body: { duration_seconds: 900 },
      other: { duration_seconds: 60 },
    };
  },
  'delete /intents/:intentId/leases/:leaseId': async (on) => {
    const id = await on.intent();
    return { path: `/v1/intents/${id}/leases/${await on.lease(id)}` };
  },
  'post /portfolios': async () => ({
    path: '/v1/portfolios',
    body: { name: 'Refunds' },
    other: { name: 'Another' },
  }),
  'patch /portfolios/:portfolioId': async (on) => ({
    path: `/v1/portfolios/${await on.portfolio()}`,
    headers: { 'If-Match': '1' },
    body: { name: 'Returns' },
    other: { name: 'Another' },
  }),
  'patch /portfolios/:portfolioId/status': async (on) => ({
    path: `/v1/portfolios/${await on.portfolio()}/status`,
    body: { status: 'completed' },
    other: { status: 'abandoned' },
  }),
  'post /portfolios/:portfolioId/intents': async (on) => ({
    path: `/v1/portfolios/${await on.portfolio()}/intents`,
    body: { intent_id: await on.intent() },
    other: { intent_id: await on.intent() },
  }),
  'delete /portfolios/:portfolioId/intents/:intentId': async (on) => {
    const [id, intent_id] = [await on.portfolio(), await on.intent()];
    await on.stack.post(`/v1/portfolios/${id}/intents`, 'agent', { intent_id });
    return { path: `/v1/portfolios/${id}/intents/${intent_id}` };
  },
  'post /coordinators': async (on) => {
    const intent_id = await on.intent();
    return {
      path: '/v1/coordinators',
      body: { intent_id },
      other: { intent_id, role: 'deputy' },
      effect: async () => (await on.read(`/v1/intents/${intent_id}/coordinators`))['coordinators'],
    };
  },
  'post /coordinators/:coordinatorId/heartbeat': async (on) => ({
    path: `/v1/coordinators/${await on.coordinator(await on.intent())}/heartbeat`,
  }),
  'post /decisions': async (on) => {
    const intent_id = await on.intent();
    const coordinator_id = await on.coordinator(intent_id);
    const body = {
      coordinator_id,
      intent_id,
      decision_type: 'task_assigned',
      summary: 'a',
      rationale: 'b',
    };
    return {
      path: '/v1/decisions',
      body,
      other: { ...body, summary: 'c' },
      effect: () => on.events(intent_id, 'coordinator.decision'),
    };
  },
};
