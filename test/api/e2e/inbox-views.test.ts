import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { reconcile } from '../../../activities/reconcile.js';
import { startServer } from '../../../api/server.js';
import type { RunningServer } from '../../../api/server.js';
import type { Blocked, InboxEntry, SuspensionChange } from '../../../contracts/suspension/view.js';
import { reconciliation, storedQuestions } from '../../../workers/reconciliation.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';
import { openSse } from '../../support/subscribers.js';

describe('what a page of open questions reads', () => {
  let stack: RealStack;
  let server: RunningServer;
  before(async () => {
    stack = await RealStack.start({}, onServer());
    server = await startServer({ app: stack.app, host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await server.close();
    await stack.close();
  });

  const idsIn = async (query: string) => {
    const { body } = await stack.get(`/v1/suspensions?limit=200&${query}`, 'operator');
    return (body.suspensions as InboxEntry[]).map(({ id }) => id);
  };

  it('hears of a question without an intent from its opening to its erasure', async () => {
    const stream = await openSse(`${server.url}/v1/suspensions/subscribe`, KEYS.operator.key);
    const asked = await stack.post('/v1/suspensions', 'agent', REFUND);
    const id = String(asked.body.id);
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

  it('shows a vote that others have to follow to them, and not to its voter', async () => {
    const body = { ...REFUND, decision_rule: { quorum: 2 } };
    const asked = await stack.post('/v1/suspensions', 'agent', body);
    const id = String(asked.body.id);
    assert.ok((await idsIn('view=for_me')).includes(id));
    await stack.post(`/v1/suspensions/${id}/respond`, 'operator', { value: 'approve' });
    await lookUntil(
      async () => !(await idsIn('view=for_me')).includes(id),
      'the vote is not stored',
    );
    assert.ok((await idsIn('view=all')).includes(id));
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
    const entry = await lookUntil(async () => {
      const { body } = await stack.get('/v1/suspensions?limit=200', 'operator');
      return (body.suspensions as InboxEntry[]).find(
        ({ record, blocks }) =>
          record.approval?.proposal.approval_id === opened.body.request_id && blocks === 2,
      );
    }, 'nothing waits for the approval');
    const reply = await stack.get(`/v1/suspensions/${entry.id}/blocks`, 'operator');
    assert.deepEqual(
      (reply.body.blocks as Blocked[]).map(({ kind, id }) => [kind, id]),
      [
        ['intent', intent_id],
        ['run', 'run 7'],
      ],
    );
  });

  it('is brought up to date by the reconciler, where the store is an older copy', async () => {
    const asked = await stack.post('/v1/suspensions', 'agent', REFUND);
    const id = String(asked.body.id);
    await stack.post(`/v1/suspensions/${id}/comments`, 'operator', { text: 'I look into it.' });
    const claimed = await stack.post(`/v1/suspensions/${id}/claim`, 'operator', {});
    assert.equal(claimed.status, 200, claimed.text);
    const shown = async () => {
      const { body } = await stack.get('/v1/suspensions?limit=200', 'operator');
      const entry = (body.suspensions as InboxEntry[]).find((one) => one.id === id);
      return [entry?.claim?.holder, entry?.comment_count];
    };
    const [holder] = await lookUntil(async () => {
      const current = await shown();
      return current[0] === undefined ? undefined : current;
    }, 'the claim is not stored');
    await sql`
      update suspensions set claim = null, comment_count = 0, progress_revision = -1
      where id = ${id}`.execute(stack.store.db);
    assert.deepEqual(await shown(), [undefined, 0]);
    const work = {
      reconciliation: reconciliation(stack.store.db, () => stack.client),
      store: storedQuestions(stack.store.db),
      now: () => new Date(Date.now() + 120_000),
    };
    const found: string[] = [];
    await reconcile(
      work,
      { since: null },
      {
        goOn: () => undefined,
        found: (one, finding) => found.push(`${one.id} ${finding}`),
        warn: (event) => assert.fail(event),
      },
    );
    assert.ok(found.includes(`${id} behind`), found.join());
    assert.deepEqual(await shown(), [holder, 1]);
  });
});
