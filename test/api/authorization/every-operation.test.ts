import assert from 'node:assert/strict';
import type { PayloadCodec } from '@temporalio/common';
import { describe, it } from 'mocha';
import request, { type Response } from 'supertest';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { SESSION_ROUTES } from '../../../api/sessions/routes.js';
import type { OpenLink } from '../../../contracts/channel/links.js';
import type { OpenAnswer } from '../../../contracts/channel/webhook-answer.js';
import { ROLES } from '../../../domain/policy/authorize.js';
import { RULES, isPublic, rowOf, type Action, type Rule } from '../../../domain/policy/rules.js';
import type { Role } from '../../../contracts/people/api-key.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { ManualClock, settledView, type FakeQueries } from '../support/fakes.js';
import { KEYS, createRig, type Rig } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { COORDINATOR } from '../support/portfolio-records.js';
import { EVENT, INTENT, INTENT_ID, SUSPENSION_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';
import { everyAttempt, type Attempt } from './requests.js';

/*
 * Every operation of both APIs, streams and webhook subscriptions included, is tried with every kind of key. What is
 * expected comes from the table of rules. What a rule says of relations is judged where the state is, and
 * tried in `test/domain/policy/authorize.test.ts` and `test/workflows/authorization.test.ts`.
 */

const ATTEMPTS = everyAttempt();
const APIS = ['/v1/', '/api/v1/', '/.well-known/', '/mcp/'] as const;

/** The records that an OpenIntent log has, so that everything that a path names is there. */
const RECORDS: readonly IntentEvent[] = [
  ['escalation_requested', {}],
  ['agent_assigned', { agent_id: 'helper', role: 'worker' }],
  ['access_granted', { entry: { id: EVENT.id } }],
].map(([event_type, payload]) => ({ ...EVENT, event_type, payload }) as IntentEvent);

/** The principals of keys that may do some things only to what is theirs. */
const PRINCIPALS: Readonly<Partial<Record<Role, string>>> = { admin: 'root', operator: 'alice' };

/** An API whose things all belong to the agent whose key is tried, or to somebody else, and whose lease and subscription the caller has. */
function rigFor(owner = 'refund-agent', holder = owner, more: FakeQueries = {}): Rig {
  const secrets = [`whsec_${Buffer.alloc(24, 'a').toString('base64')}`];
  const config = { directory: { people: { ana: {}, carol: {} } }, subscriptions: { secrets } };
  const clock = new ManualClock(Date.parse('2026-12-01T00:00:00.000Z'));
  const coordinator = () => ({ ...COORDINATOR, holder });
  const answers = { ...knowingIntent({ ...INTENT, owner }), coordinator };
  const subscription = { ...EXAMPLES.subscription, created_by: holder, active: false };
  const store: FakeQueries = {
    findSubscription: async () => subscription,
    listEvents: async (_id, { event_types: types = [] }) => ({
      rows: RECORDS.filter(({ event_type }) => types.includes(event_type)),
      more: false,
    }),
    findEvents: async () => ({ rows: [], more: false }),
    ...more,
  };
  const fakes = { clock, answers, store };
  const doors = { openLink, openAnswer, codecs: [UNCHANGED] };
  return createRig({}, config, undefined, undefined, undefined, doors, fakes);
}

/** A store with a settled question of nobody's intent, which can be erased. */
const ERASABLE: FakeQueries = {
  findSettled: async () => ({ ...settledView({ id: SUSPENSION_ID }), intent_id: null }),
  eraseSuspension: async (suspension_id, { at: erased_at, by: erased_by }) =>
    ok({ suspension_id, erased_at, erased_by }),
};

/** What the payloads of the installation are encrypted with. */
const UNCHANGED: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads,
};

/** Every message is signed by a channel that may answer for one person. */
const openAnswer: OpenAnswer = () => ({ name: 'ops', people: ['ana'] });

/** Every token is that of a link for one person. */
const openLink: OpenLink = async () => ({
  content: {
    space: 'default',
    person: 'ana',
    suspension_id: SUSPENSION_ID,
    question_version: 1,
  },
  expires_at: '2026-12-20T10:00:00.000Z',
  expired: false,
});

/** Streams never end, so only their headers are asked for. */
async function send(rig: Rig, { binding, path, body }: Attempt, key?: string): Promise<Response> {
  const method = path.endsWith('/subscribe') ? 'head' : binding.method;
  const test = request(rig.app)[method](path).set('If-Match', '3');
  if (path.startsWith('/mcp')) test.set('Accept', 'application/json, text/event-stream');
  if (key !== undefined) test.set('X-API-Key', key);
  return body === undefined ? test : test.send(body as object);
}

/** The rules of an action, in every case. */
function rulesOf(action: Action): readonly Rule[] {
  const row = rowOf(action);
  return [row, ...Object.values(row.cases ?? {})];
}

/** Whether a role may run an action on something. */
function passes(role: Role, action: Action): boolean {
  return isPublic(action) || rulesOf(action).some((rule) => rule[role] !== undefined);
}

/** A refusal has a code in both dialects; a stream's has only its headers here. */
function assertRefused(reply: Response, status: 401 | 403, code: string, about: string): void {
  assert.equal(reply.status, status, about);
  if (reply.request.method !== 'HEAD') assert.equal(reply.body.code, code, about);
  if (status === 401) assert.ok(reply.headers['www-authenticate'], about);
}

describe('every operation of both APIs', () => {
  it('has a row in the table of rules, and every row but three an operation', () => {
    const bindings = [...ATTEMPTS.map(({ binding }) => binding), ...SESSION_ROUTES];
    const bound = new Set<string>(bindings.map(({ operation }) => operation.name));
    assert.deepEqual(
      Object.keys(RULES).filter((action) => !bound.has(action)),
      // What the inbox shows, and what Slack posts in its own form: neither is an operation of the APIs.
      ['seeQuestionIds', 'useInbox', 'answerBySlack'],
    );
    assert.deepEqual(
      [...bound].filter((name) => !Object.hasOwn(RULES, name)),
      [],
    );
  });

  for (const [role, api] of ROLES.flatMap((one) => APIS.map((path) => [one, path] as const))) {
    it(`lets the role ${role} do what it may under ${api}, and nothing else [R25-99]`, async () => {
      const holder = PRINCIPALS[role] ?? 'refund-agent';
      const asking = rigFor('refund-agent', holder);
      const erasing = rigFor('refund-agent', holder, ERASABLE);
      // What is for the session of a browser is tried with one, in `test/api/sessions/`.
      const attempts = ATTEMPTS.filter(({ binding }) => binding.operation.resource !== 'session');
      for (const attempt of attempts.filter(({ path }) => path.startsWith(api))) {
        const rig = attempt.binding.operation.name === 'eraseSuspension' ? erasing : asking;
        for (const made of [rig.calls, rig.sent, rig.asked]) made.splice(0);
        const { name } = attempt.binding.operation;
        const reply = await send(rig, attempt, KEYS[role]);
        const about = `${attempt.name}: ${reply.status} ${JSON.stringify(reply.body)}`;
        if (passes(role, name)) {
          const isReady = attempt.path === '/v1/ready';
          assert.ok(isReady || (reply.status >= 200 && reply.status < 300), about);
        } else {
          assertRefused(reply, 403, 'forbidden', about);
          assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []], about);
        }
      }
    });
  }

  for (const [kind, key] of [
    ['no key', undefined],
    ['an unknown key', 'wrong-key-0123456789'],
  ] as const) {
    it(`is closed to ${kind}, but for what is public [R25-98]`, async () => {
      const rig = rigFor();
      for (const attempt of ATTEMPTS) {
        for (const made of [rig.calls, rig.sent, rig.asked]) made.splice(0);
        const reply = await send(rig, attempt, key);
        if (isPublic(attempt.binding.operation.name)) {
          assert.equal(reply.status, 200, `${attempt.name} ${JSON.stringify(reply.body)}`);
        } else {
          assertRefused(reply, 401, 'unauthenticated', attempt.name);
          assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []], attempt.name);
        }
      }
    });
  }

  it('takes no name that a sender claims for a principal', async () => {
    const claimed = { 'X-Agent-ID': 'root', 'X-Forwarded-User': 'root' };
    const rig = rigFor('carol');
    for (const attempt of ATTEMPTS) {
      if (passes('auditor', attempt.binding.operation.name)) continue;
      const body = { ...(attempt.body as object), created_by: 'root', agent_id: 'root' };
      const test = request(rig.app)[attempt.binding.method](attempt.path).set(claimed);
      const reply = await test.set({ 'If-Match': '3', 'X-API-Key': KEYS.auditor }).send(body);
      assertRefused(reply, 403, 'forbidden', attempt.name);
    }
  });
});

describe('the export of a log', () => {
  it('is for its owner among agents', async () => {
    const path = `/v1/intents/${INTENT_ID}/events/export`;
    const own = await rigFor('refund-agent').send('agent', 'get', path);
    assert.equal(own.status, 200);
    const other = await rigFor('another').send('agent', 'get', path);
    assert.deepEqual([other.status, other.body.code], [403, 'forbidden']);
  });
});
