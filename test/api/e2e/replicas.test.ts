import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { createPartsOf } from '../../../api/parts/index.js';
import { queriesIn, queriesOf } from '../../../api/parts/reads/from-store.js';
import { waitForSuspension } from '../../../api/usecases/suspension/wait.js';
import type { Call } from '../../../api/usecases/usecase.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { createAgentStates } from '../../../runtime/agent-state.js';
import { caller } from '../../support/callers.js';
import { feedOf } from '../../support/events.js';
import { lookUntil } from '../../support/looks.js';
import { patientClock } from '../../support/patience.js';
import { ID_SECRET, REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { silent } from '../support/fakes.js';

/** Longer than any test. */
const WAIT_SECONDS = 600;

/** Two API processes over one store and one Temporal: one takes the answers, the other has those who wait. */
describe('who waits at another replica', () => {
  let stack: RealStack;
  /** What the other replica has asked workflows, in its order. */
  const asked: string[] = [];
  const over = new AbortController();
  let call: Call;
  before(async () => {
    stack = await RealStack.start();
    const client = new Client({
      connection: stack.client.connection,
      interceptors: {
        workflow: [
          {
            query(input, next) {
              asked.push(input.queryType);
              return next(input);
            },
            startUpdate(input, next) {
              asked.push(input.updateName);
              return next(input);
            },
          },
        ],
      },
    });
    const partsOf = createPartsOf({
      client,
      agentStates: createAgentStates([]),
      agentsIn: () => new Set(),
      idSecrets: [ID_SECRET],
      store: queriesOf(stack.store.db),
      storeIn: (space) => queriesIn(stack.store.db, space),
      feed: feedOf(stack.store),
      config: serverConfigSchema.parse({}),
      log: silent,
      now: Date.now,
      clock: patientClock(),
      closing: over.signal,
    });
    call = { caller: caller('alice', 'operator'), parts: partsOf('default') };
  });
  after(async () => {
    over.abort();
    await stack.close();
  });

  /** Waits at the other replica, and resolves once it has asked how the question stands. */
  async function waiting(id: string) {
    await stack.delivered(id);
    asked.length = 0;
    const options = { timeoutSeconds: WAIT_SECONDS, signal: new AbortController().signal };
    const outcome = waitForSuspension.run(call, id, options);
    await lookUntil(() => Promise.resolve(asked.length === 1), 'nobody is asked');
    return { outcome };
  }

  it('hears the answer to a question of its own from the store', async () => {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const { outcome } = await waiting(body.id);
    const path = `/v1/suspensions/${body.id}/respond`;
    const answered = await stack.post(path, 'operator', { value: 'approve' });
    assert.equal(answered.status, 200);
    const { value, stale } = await outcome;
    assert.deepEqual([value.record.response, stale], ['approve', false]);
    assert.deepEqual(asked, ['record']);
  });

  it('hears the answer to a question of an intent from the store', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    const { outcome } = await waiting(id);
    const answer = { suspension_id: id, value: 'deny' };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200);
    const { value, stale } = await outcome;
    assert.deepEqual([value.record.response, stale], ['deny', false]);
    assert.deepEqual(asked, ['record']);
  });

  it('hears a withdrawal from the store', async () => {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const { outcome } = await waiting(body.id);
    const path = `/v1/suspensions/${body.id}/cancel`;
    assert.equal((await stack.post(path, 'agent', { reason: 'not needed' })).status, 200);
    assert.equal((await outcome).value.record.resolution, 'cancelled');
    assert.deepEqual(asked, ['record']);
  });
});
