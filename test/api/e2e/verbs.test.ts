import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';

const RULE = { eligible: { principals: ['alice'] } };
const REASON = 'She knows the customer.';

interface Told {
  readonly event_type: string;
  readonly principal: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

describe('what people do to a question before it is answered', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  it('is claimed, passed on, talked about, corrected and answered, and its log is whole', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent, { ...REFUND, decision_rule: RULE });
    await stack.delivered(id);
    const at = `/v1/suspensions/${id}`;

    const claimed = await stack.post(`${at}/claim`, 'operator', { question_version: 1 });
    assert.deepEqual([claimed.status, claimed.body.claim.holder], [200, 'alice']);
    for (const to of ['gretta', 'greta']) {
      const passed = await stack.post(`${at}/delegate`, 'operator', { to, reason: REASON });
      assert.deepEqual([passed.status, passed.body.claim.holder], [200, to]);
    }
    const remark = await stack.post(`${at}/comments`, 'grouped', { text: 'She called twice.' });
    assert.equal(remark.status, 200, JSON.stringify(remark.body));
    const question = 'Should we refund half of order #12345?';
    const amended = await stack.patch(at, 'agent', { question, question_version: 1 });
    assert.deepEqual([amended.status, amended.body.question_version], [200, 2]);
    assert.deepEqual(
      (amended.body as SuspensionView).delegations.map(({ to, in_force }) => [to, in_force]),
      [
        ['gretta', false],
        ['greta', true],
      ],
    );

    const stale = { value: 'approve', question_version: 1 };
    const refused = await stack.post(`${at}/respond`, 'grouped', stale);
    assert.deepEqual([refused.status, refused.body.code], [409, 'question_version_mismatch']);
    const held = await stack.post(`${at}/respond`, 'operator', { ...stale, question_version: 2 });
    assert.deepEqual([held.status, held.body.code], [409, 'claimed_by_other']);
    const answer = { value: 'approve', question_version: 2 };
    const answered = await stack.post(`${at}/respond`, 'grouped', answer);
    assert.deepEqual([answered.status, answered.body.responded_by], [200, 'greta']);

    const log = `${intent}/events?limit=1000`;
    const { events } = await readFresh<{ events: Told[] }>(stack, log);
    const verbs = events
      .filter(({ event_type }) => /suspension_|resumed/.test(event_type))
      .toReversed();
    assert.deepEqual(
      verbs.map(({ event_type, principal }) => `${event_type.replace('intent.', '')} ${principal}`),
      [
        'suspension_claimed alice',
        'suspension_delegated alice',
        'suspension_delegated alice',
        'suspension_commented greta',
        'suspension_amended agent-1',
        'resumed greta',
      ],
    );
    assert.equal(verbs.at(3)?.payload['text'], 'She called twice.');
    assert.equal(verbs.at(4)?.payload['question_version'], 2);
    const proof = await lookUntil(async () => {
      const { body } = await stack.get(`${intent}/events/verify`);
      const read = body as { event_count: number; chain_valid: boolean; breaks: unknown[] };
      return read.event_count === events.length && read;
    }, 'the log is not stored');
    assert.deepEqual([proof.chain_valid, proof.breaks], [true, []]);
  });

  async function askAlone(): Promise<string> {
    const asked = await stack.post('/v1/suspensions', 'agent', REFUND);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    await stack.delivered(asked.body.id);
    return asked.body.id as string;
  }

  const all = (ids: readonly string[]) => {
    const answers = ids.map((suspension_id) => ({ suspension_id, question_version: 1 }));
    return stack.post('/v1/suspensions/respond', 'operator', { answers, value: 'approve' });
  };

  for (const isSingleFirst of [true, false]) {
    const order = isSingleFirst ? 'before' : 'after';
    it(`counts once where one answer comes ${order} that to many`, async () => {
      const ids = [await askAlone(), await askAlone()];
      const single = () =>
        stack.post(`/v1/suspensions/${ids[0]}/respond`, 'grouped', { value: 'deny' });
      const first = isSingleFirst ? await single() : undefined;
      const { status, body } = await all(ids);
      const second = isSingleFirst ? undefined : await single();
      const { results } = body as { results: { outcome: string; problem?: { code: string } }[] };
      assert.equal(status, 200);
      assert.deepEqual(
        results.map(({ outcome, problem }) => problem?.code ?? outcome),
        [isSingleFirst ? 'suspension_settled' : 'settled', 'settled'],
      );
      assert.equal((first ?? second)?.status, isSingleFirst ? 200 : 409);
      const { record } = (await stack.get(`/v1/suspensions/${ids[0]}`)).body as SuspensionView;
      assert.equal(record.response, isSingleFirst ? 'deny' : 'approve');
    });
  }
});
