import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { Operator } from '../../../client/index.js';
import { loseOutcome } from '../../support/lost-outcome.js';
import { patientClock } from '../../support/patience.js';
import { KEYS, REFUND, RealStack } from '../../support/real-stack.js';
import { inTurn, startReplica, type Replica } from '../../support/replica.js';
import { settledInStore } from '../../support/stored-questions.js';

/** The query by which a replica looks whether the store shows how questions stand. */
const LOOK = 'idsNotInState';

const ANSWER = { value: 'approve' };
const KEY = 'the answer';

/** The requests of each client go to two replicas in turn: what it has written at the one, it reads at the other. */
describe('a client whose requests go to two replicas in turn', () => {
  let stack: RealStack;
  /** It waits as long as in production for the store to show a write. */
  let quick: Replica;
  /** It waits long, so that the store can be held up and let go meanwhile. */
  let patient: Replica;
  let looked: (query: string) => void = () => undefined;
  before(async () => {
    stack = await RealStack.start();
    quick = await startReplica(stack);
    patient = await startReplica(stack, (query) => looked(query), patientClock());
  });
  after(async () => {
    await Promise.all([quick.close(), patient.close()]);
    await stack.close();
  });

  function operatorAt(other: Replica) {
    const { fetch, replies } = inTurn([stack.url, other.url]);
    const operator = new Operator({ baseUrl: stack.url, apiKey: KEYS.operator.key, fetch });
    const isStale = () => replies.at(-1)?.get('Holdpoint-Stale') === 'true';
    return { operator, isStale };
  }

  /** Asks a question, and answers it at the first replica. */
  async function answered(operator: Operator): Promise<string> {
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const { id } = body as { id: string };
    await stack.delivered(id);
    await operator.respond(null, { suspension_id: id, ...ANSWER }, { idempotencyKey: KEY });
    await settledInStore(stack.store, id);
    return id;
  }

  const pendingIn = async (operator: Operator) =>
    (await operator.list({ state: 'pending' })).suspensions.map(({ id }) => id);

  it('sees at the other one what the store has', async () => {
    const { operator, isStale } = operatorAt(patient);
    const id = await answered(operator);
    assert.ok(!(await pendingIn(operator)).includes(id));
    assert.equal(isStale(), false);
  });

  it('is told that a list is older than its write, while the store is behind', async () => {
    const { operator, isStale } = operatorAt(quick);
    const id = await answered(operator);
    await loseOutcome(stack.store.db, id);
    assert.ok((await pendingIn(operator)).includes(id));
    assert.equal(isStale(), true);
  });

  it('waits at the other one until the store shows its write', async () => {
    const { operator, isStale } = operatorAt(patient);
    const id = await answered(operator);
    await loseOutcome(stack.store.db, id);
    const isLooking = new Promise<void>((resolve) => {
      looked = (query) => {
        if (query === LOOK) resolve();
      };
    });
    const list = pendingIn(operator);
    await isLooking;
    // The same answer again: the API writes what the question has left.
    const path = `/v1/suspensions/${id}/respond`;
    const again = await stack.post(path, 'operator', ANSWER, { 'Idempotency-Key': KEY });
    assert.equal(again.status, 200);
    assert.ok(!(await list).includes(id));
    assert.equal(isStale(), false);
  });
});
