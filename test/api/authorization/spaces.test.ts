import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Express } from 'express';
import { after, before, describe, it } from 'mocha';
import { pino } from 'pino';
import request, { type Response } from 'supertest';
import { createApp } from '../../../api/app.js';
import { createPartsOf } from '../../../api/parts/index.js';
import { queriesIn, queriesOf, type RunQuery } from '../../../api/parts/reads/from-store.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import { registerAgentSchema, type AgentRecord } from '../../../contracts/agent/agent.js';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { isPublic } from '../../../domain/policy/rules.js';
import { writeRows } from '../../../store/journal-writer.js';
import { changeAgent } from '../../../store/queries/people/principal.js';
import { lastSequences } from '../../../store/queries/event-log.js';
import { idsNotInState } from '../../../store/queries/inbox.js';
import { emptyFeed } from '../../support/events.js';
import { EXAMPLES } from '../../support/examples.js';
import { withStore, type TestStore } from '../../support/store.js';
import { fakeClient, type FakeCall } from '../support/fakes.js';
import { EVENT, INTENT, LEASE_ID, SUSPENSION_ID, VIEW } from '../support/records.js';
import { everyAttempt, type Attempt } from './requests.js';
import { createAgentStates } from '../../../runtime/agent-state.js';

/*
 * Every operation of both APIs is tried with a key of a space that has nothing, while the default space has everything
 * that the requests name, in paths and in bodies. Each reply has to be the one that a service without any of it gives.
 */

const ATTEMPTS = everyAttempt().filter(({ binding }) => !isPublic(binding.operation.name));

/** One space sends its requests before the other things are there, the other one afterwards. */
const SPACES = ['before', 'afterwards'] as const;
type Space = (typeof SPACES)[number] | 'default';

const keyOf = (space: Space): ApiKey => ({
  key: `a key of the space ${space}`,
  principal: 'refund-agent',
  roles: ['agent', 'operator', 'admin', 'auditor'],
  space,
});

/** Everything that a request names, as the journal of the default space writes it. */
const ROWS: readonly JournalRow[] = [
  { kind: 'intent', intent: INTENT, last_sequence: 1 },
  { kind: 'intent', intent: { ...INTENT, id: LEASE_ID }, last_sequence: 1 },
  { kind: 'event', event: { ...EVENT, event_type: 'escalation_requested' } },
  {
    kind: 'suspension_opened',
    intent_id: INTENT.id,
    asked_by: 'refund-agent',
    record: { ...VIEW.record, id: SUSPENSION_ID },
    schedule: VIEW.schedule,
  },
  { kind: 'portfolio', portfolio: EXAMPLES.portfolio, last_sequence: 1, head_hash: null },
  { kind: 'coordinator', coordinator: EXAMPLES.coordinator },
  { kind: 'coordinator', coordinator: { ...EXAMPLES.coordinator, id: LEASE_ID } },
  { kind: 'task', task: EXAMPLES.task, revision: 1 },
  { kind: 'plan', plan: EXAMPLES.plan, revision: 1 },
  { kind: 'subscription', subscription: EXAMPLES.subscription },
];

/** A store that shows at once what was written. */
function upToDate(run: RunQuery): RunQuery {
  const all = (ids: readonly string[]) => new Map(ids.map((id) => [id, Infinity]));
  return async (query, ...args) => {
    const asked: unknown = query;
    if (asked === lastSequences) return all(args[0] as readonly string[]) as never;
    if (asked === idsNotInState) return [] as never;
    return run(query, ...args);
  };
}

/** Time is never up. */
function untilAborted(_ms: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

describe('every operation of both APIs, in a space of its own', () => {
  let store: TestStore;
  let app: Express;
  /** Whether the workflow of the intent answers to its name in the default space. */
  let isDefault = false;
  /** The calls to workflows since it was cleared. */
  let calls: FakeCall[];

  before(async () => {
    store = await withStore();
    const answer = ({ workflowId, name }: FakeCall): unknown => {
      if (isDefault && name === 'intent' && !workflowId.includes('/'))
        return { intent: INTENT, last_sequence: 1 };
      throw new WorkflowNotFoundError('gone', workflowId, undefined);
    };
    const fake = fakeClient({ query: answer, update: answer, signal: answer, start: () => 0 });
    calls = fake.calls;
    const config = serverConfigSchema.parse({});
    const log = pino({ level: 'silent' });
    const partsOf = createPartsOf({
      agentStates: createAgentStates([]),
      client: fake.client,
      store: queriesOf(store.db),
      storeIn: (space) => upToDate(queriesIn(store.db, space)),
      feed: emptyFeed(),
      agentsIn: () => new Set(),
      idSecrets: ['a secret for the ids of the tests'],
      config,
      log,
      now: Date.now,
      clock: { now: Date.now, sleep: untilAborted },
    });
    const ring = new KeyRing((['default', ...SPACES] as const).map(keyOf));
    const signIn = createSignIn(ring);
    app = createApp({ partsOf, feed: emptyFeed(), signIn, config, log });
  });
  after(() => store.close());

  function send(space: Space, { binding, path, body }: Attempt): Promise<Response> {
    const method = path.endsWith('/subscribe') ? 'head' : binding.method;
    const test = request(app)[method](path).set('If-Match', '3').set('X-API-Key', keyOf(space).key);
    return Promise.resolve(body === undefined ? test : test.send(body as object));
  }

  /** A reply without the ids and times that are new each time, and without the name of its own space. */
  function shown({ status, text }: Response): string {
    const body = JSON.stringify([text])
      .replace(/(\\"space\\":\\")(?:before|afterwards)/, '$1<own>')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>');
    return `${status} ${body}`;
  }

  /** The reply to a request, which may reach no workflow outside of the space. */
  async function tried(space: Space, attempt: Attempt): Promise<string> {
    calls.splice(0);
    const reply = shown(await send(space, attempt));
    const outside = calls.filter(({ workflowId }) => !workflowId.startsWith(`${space}/`));
    assert.deepEqual(outside, [], attempt.name);
    return reply;
  }

  it('replies as if nothing of another space were there, and reaches none of it', async () => {
    const replies = new Map<Attempt, string>();
    for (const attempt of ATTEMPTS) replies.set(attempt, await tried('before', attempt));
    await writeRows(store.db, ROWS);
    const agent: AgentRecord = {
      ...registerAgentSchema.parse({ agent_id: 'helper' }),
      status: 'active',
      current_load: 0,
      tasks_in_progress: [],
      version: 1,
      registered_by: 'refund-agent',
      registered_at: EVENT.created_at,
      last_heartbeat_at: null,
    };
    for (const agent_id of ['helper', 'refund-agent']) {
      await changeAgent(store.db, agent_id, () => ({ ...agent, agent_id }));
    }
    for (const attempt of ATTEMPTS) {
      assert.equal(await tried('afterwards', attempt), replies.get(attempt), attempt.name);
    }
  });

  it('finds the same in the default space, where it is', async () => {
    const reads = ATTEMPTS.filter(({ binding }) => binding.operation.name === 'getIntent');
    assert.equal(reads.length, 2);
    isDefault = true;
    for (const attempt of reads) assert.equal((await send('default', attempt)).status, 200);
    const lists = ATTEMPTS.filter(({ name }) => name === 'GET /v1/suspensions');
    for (const attempt of lists) {
      const { body } = await send('default', attempt);
      assert.equal(body.suspensions.length, 1);
    }
  });
});
