import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type {
  InboxPage,
  Blocked,
  InboxEntry,
  SuspensionChange,
} from '../../../contracts/suspension/view.js';
import { readFresh } from '../../support/fresh-reads.js';
import {
  RealStack,
  createIntent,
  type KeyName,
  KEYS,
  REFUND,
  ask,
} from '../../support/real-stack.js';
import { lookUntil } from '../../support/looks.js';
import { openSse } from '../../support/subscribers.js';

describe('the inbox over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function list(query: string, as: KeyName = 'operator'): Promise<string[]> {
    const { suspensions } = await readFresh<InboxPage>(stack, `/v1/suspensions?${query}`, as);
    return suspensions.map(({ id }) => id);
  }

  it('shows a question as soon as it is asked, and no longer once it is answered [R25-17]', async () => {
    const path = await createIntent(stack);
    const question = { question: 'Refund order #4711?', response_type: 'confirm' };
    const { id } = await ask(stack, path, question);
    assert.deepEqual(await list('text=4711'), [id]);
    const answer = { suspension_id: id, value: 'yes' };
    await stack.post(`${path}/suspend/respond`, 'operator', answer);
    assert.deepEqual(await list('text=4711'), []);
    assert.deepEqual(await list('text=4711&resolution=responded'), [id]);
    const counts = await readFresh(stack, '/v1/suspensions/counts?text=4711', 'operator');
    assert.deepEqual(counts, { pending: 0, responded: 1, expired: 0, cancelled: 0 });
  });

  it('hears of a question without an intent from its opening to its erasure', async () => {
    const stream = await openSse(`${stack.url}/v1/suspensions/subscribe`, KEYS.operator.key);
    const { body } = await stack.post('/v1/suspensions', 'agent', REFUND);
    const id = String(body.id);
    const told = async (change: string) => {
      for (let count = 1; ; count += 1) {
        const frame = (await stream.until(count))[count - 1];
        const seen = JSON.parse(frame?.data ?? '{}') as SuspensionChange;
        if (seen.id === id && seen.change === change) return seen.state;
      }
    };
    assert.equal(await told('opened'), 'pending');
    await stack.post(`/v1/suspensions/${id}/respond`, 'operator', { value: 'approve' });
    assert.equal(await told('settled'), 'settled');
    const erased = await stack.delete(`/v1/suspensions/${id}/personal-data`, 'admin');
    assert.equal(erased.status, 200, erased.text);
    assert.equal(await told('erased'), 'settled');
    assert.doesNotMatch(stream.text(), /Refund|order/i);
    stream.reply.destroy();
  });

  it('tells what an answer unblocks', async () => {
    const intent = await createIntent(stack);
    const intent_id = intent.replace('/v1/intents/', '');
    const body = { title: 'Close the case', status: 'active', depends_on: [intent_id] };
    const dependent = await stack.post('/v1/intents', 'agent', body);
    assert.equal(dependent.status, 201, dependent.text);
    const question = await ask(stack, intent, REFUND);
    const blocks = await lookUntil(async () => {
      const reply = await stack.get(`/v1/suspensions/${question.id}/blocks`, 'operator');
      const found = reply.body.blocks as Blocked[] | undefined;
      return found !== undefined && found.length > 1 && found;
    }, 'the dependent is not stored');
    assert.deepEqual(
      blocks.map(({ id, depth }) => [id, depth]),
      [
        [intent_id, 0],
        [dependent.body.id, 1],
      ],
    );
  });

  it('tells that a run and its intent wait for an approval', async () => {
    const intent = await createIntent(stack);
    const intent_id = intent.replace('/v1/intents/', '');
    const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 5 } }];
    const body = { run_id: 'run 7', intent_id, calls };
    const opened = await stack.post('/v1/approvals', 'agent', body);
    assert.equal(opened.status, 202, opened.text);
    const blocks = await lookUntil(async () => {
      const { body } = await stack.get('/v1/suspensions?limit=200', 'operator');
      const entry = (body.suspensions as InboxEntry[]).find(
        ({ record }) => record.approval?.proposal.approval_id === opened.body.request_id,
      );
      if (entry === undefined) return false;
      const reply = await stack.get(`/v1/suspensions/${entry.id}/blocks`, 'operator');
      const found = reply.body.blocks as Blocked[];
      return found.length === 2 && found;
    }, 'nothing waits for the approval');
    assert.deepEqual(
      blocks.map(({ kind, id }) => [kind, id]),
      [
        ['intent', intent_id],
        ['run', 'run 7'],
      ],
    );
  });
});
