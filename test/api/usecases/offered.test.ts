import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { pino } from 'pino';
import { mcpRoutes } from '../../../api/mcp/routes.js';
import { OPENINTENT_ROUTES } from '../../../api/openintent/index.js';
import { WELL_KNOWN_ROUTES } from '../../../api/openintent/discovery.js';
import type { UseCase } from '../../../api/usecases/usecase.js';
import { isPublic } from '../../../domain/policy/rules.js';
import { SESSION_ROUTES } from '../../../api/sessions/routes.js';
import { SLACK_ROUTES } from '../../../api/slack/route.js';
import { allUseCases } from '../support/use-cases.js';
import { V1_ROUTES } from '../../../api/v1/index.js';

const DECLARED: UseCase[] = [];
const ROUTES = [
  ...V1_ROUTES,
  ...OPENINTENT_ROUTES,
  ...WELL_KNOWN_ROUTES,
  ...SESSION_ROUTES,
  ...SLACK_ROUTES,
  ...mcpRoutes(pino({ level: 'silent' })),
];

describe('use cases', () => {
  before(async () => void DECLARED.push(...(await allUseCases())));

  it('have one name each', () => {
    const names = DECLARED.map(({ name }) => name);
    assert.ok(names.length > 80);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('are each offered by a route of an API', () => {
    const bound = new Set(ROUTES.map(({ operation }) => operation));
    assert.deepEqual(
      DECLARED.filter((one) => !bound.has(one)).map(({ name }) => name),
      [],
    );
  });

  it('are what every route is bound to, streams included', () => {
    const known = new Set(DECLARED);
    assert.ok(ROUTES.length > 140);
    assert.deepEqual(
      ROUTES.filter(({ operation }) => !known.has(operation)),
      [],
    );
    const streams = ROUTES.filter(({ path }) => path.endsWith('/subscribe'));
    assert.deepEqual(
      new Set(streams.map(({ operation }) => operation.name)),
      new Set(DECLARED.map(({ name }) => name).filter((name) => name.startsWith('subscribeTo'))),
    );
  });

  it('are offered once under a method and a path', () => {
    for (const routes of [V1_ROUTES, OPENINTENT_ROUTES, WELL_KNOWN_ROUTES, SESSION_ROUTES]) {
      const places = routes.map(({ method, path }) => `${method} ${path}`);
      assert.equal(new Set(places).size, places.length);
    }
  });

  it('may each be refused while the server is busy if they start or update a workflow', () => {
    // These write to the store, and tell the workflow by a Signal, which waits in no queue; or they only read it.
    const signalling = new Set([
      'eraseSuspension',
      'deleteSubscription',
      'readLink',
      'snoozeSuspension',
    ]);
    const writes = ROUTES.filter(
      ({ method, operation: { name, refusals } }) =>
        method !== 'get' && refusals.includes('workflow_unavailable') && !signalling.has(name),
    );
    assert.ok(writes.length > 60);
    assert.deepEqual(
      writes.filter(({ operation }) => !operation.refusals.includes('busy')),
      [],
    );
  });

  it('need a key, but for links, what webhooks and Slack sign, what the server says of itself, and to sign in', () => {
    const open = DECLARED.filter(({ name }) => isPublic(name)).map(({ name }) => name);
    assert.deepEqual(open.sort(), [
      'answerBySlack',
      'answerByWebhook',
      'answerLink',
      'beginSignIn',
      'discover',
      'finishSignIn',
      'health',
      'openApi',
      'openSession',
      'readLink',
      'ready',
      'serverConfig',
      'signInMethods',
    ]);
  });
});
