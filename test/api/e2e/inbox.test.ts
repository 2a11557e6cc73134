import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { InboxPage } from '../../../contracts/suspension/view.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const CONFIRM = { response_type: 'confirm' };

describe('the inbox over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function ask(body: object, as: KeyName = 'agent'): Promise<{ id: string; path: string }> {
    const path = await createIntent(stack);
    const { body: view, status } = await stack.post(`${path}/suspend`, as, { ...CONFIRM, ...body });
    assert.equal(status, 201, JSON.stringify(view));
    return { id: view.id as string, path };
  }
  async function list(query: string, as: KeyName = 'operator'): Promise<string[]> {
    const { suspensions } = await readFresh<InboxPage>(stack, `/v1/suspensions?${query}`, as);
    return suspensions.map(({ id }) => id);
  }

  it('shows a question as soon as it is asked, and no longer once it is answered [R25-17]', async () => {
    const { id, path } = await ask({ question: 'Refund order #4711?', context: { order: '4711' } });
    assert.deepEqual(await list('text=4711'), [id]);
    const answer = { suspension_id: id, value: 'yes' };
    await stack.post(`${path}/suspend/respond`, 'operator', answer);
    assert.deepEqual(await list('text=4711'), []);
    assert.deepEqual(await list('text=4711&resolution=responded'), [id]);
    const counts = await readFresh(stack, '/v1/suspensions/counts?text=4711', 'operator');
    assert.deepEqual(counts, { pending: 0, responded: 1, expired: 0, cancelled: 0 });
  });

  it('pages by urgency', async () => {
    const text = 'urgency';
    const later = await ask({ question: text, timeout_seconds: 9_000 });
    const never = await ask({ question: text });
    const soon = await ask({ question: text, timeout_seconds: 600 });
    const page = `/v1/suspensions?text=${text}&limit=2`;
    const { suspensions, next_cursor } = await readFresh<InboxPage>(stack, page, 'operator');
    const ids = suspensions.map(({ id }) => id);
    assert.deepEqual(ids, [soon.id, later.id]);
    const next = `text=${text}&limit=2&cursor=${next_cursor}`;
    assert.deepEqual(await list(next), [never.id]);
  });

  it('shows an agent its own questions', async () => {
    const { id } = await ask({ question: 'Mine?' });
    assert.ok((await list('', 'agent')).includes(id));
    assert.deepEqual(await list('', 'agent2'), []);
  });
});
