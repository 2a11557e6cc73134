import assert from 'node:assert/strict';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createDiagnose } from '../../../../api/gateway/suspension/diagnosis.js';
import { createIntentWriter } from '../../../../api/gateway/intent/writes.js';
import { createAccess } from '../../../../api/gateway/intent/access.js';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import { createReads } from '../../../../api/gateway/intent/reads.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import { createSuspensions } from '../../../../api/gateway/suspension/opening.js';
import { createWithdrawals } from '../../../../api/gateway/suspension/withdrawal.js';
import { serverConfigSchema } from '../../../../contracts/config.js';
import { suspendRequestSchema } from '../../../../contracts/suspension-requests.js';
import type { SuspendInput } from '../../../../workflows/intent/messages.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  hanging,
  INTENT_ID,
  intentOf,
  ManualClock,
  noList,
  OTHER_SUSPENSION_ID,
  refusalFrom,
  SETTLED,
  settledView,
  silent,
  SUSPENSION_ID,
  updateRefused,
  viewOf,
  type FakeCall,
} from '../support.js';

const ASKER = callerOf('agent-1', 'agent');
const QUESTION = {
  question: 'Refund?',
  response_type: 'confirm',
  request_key: 'refund-1',
} as const;

function bench(
  update: (call: FakeCall) => unknown,
  intent = intentOf(),
  view = viewOf(),
  queries: Parameters<typeof fakeStore>[0] = {},
) {
  const clock = new ManualClock();
  const query = ({ name }: FakeCall) => (name === 'intent' ? { intent, last_sequence: 4 } : view);
  const { client, calls } = fakeClient({ update, query, describe: () => ({ raw: {} }) });
  const fromStore = createFromStore(fakeStore(queries), clock, silent);
  const temporal = createTemporal(client, clock);
  const reads = createReads(temporal, fromStore, clock);
  const touched: string[] = [];
  const consistency = { touch: (intentId: string) => touched.push(intentId) };
  const settlements = {
    touch: (id: string, state: string) => touched.push(`${id} ${state}`),
  };
  const config = serverConfigSchema.parse({});
  const { judgeAccess } = createAccess({ config, clock, reads, fromStore });
  const diagnose = createDiagnose(reads, judgeAccess);
  const withdrawals = createWithdrawals({
    temporal,
    reads,
    diagnose,
    consistency,
    settlements,
    writtenApprovals: { touch: () => undefined },
    questionRows: { writeLast: async (id) => void touched.push(`rows of ${id}`) },
    intentRows: {
      collect: async (intentId) => void touched.push(`rows that ${intentId} left`),
      collectDue: (intentId) => void touched.push(`later: rows that ${intentId} left`),
    },
  });
  const suspensions = createSuspensions({
    people: () => undefined,
    intentRows: {
      writeLeft: async (intentId, rows) => void touched.push(`${rows?.length} rows of ${intentId}`),
      collectDue: (intentId) => void touched.push(`later: rows that ${intentId} left`),
    },
    config: serverConfigSchema.parse({
      suspension: { default_retry_policy: { max_attempts: 2, interval_seconds: 60 } },
      notifications: {
        default_channel: 'mail',
        channels: { mail: { type: 'console' }, desk: { type: 'console' } },
      },
    }),
    write: createIntentWriter(temporal, reads, noList),
    temporal,
    space: 'team-b',
    reads,
    fromStore,
    consistency,
    settlements,
  });
  const suspend = (body: object) =>
    suspensions.suspend(ASKER, INTENT_ID, suspendRequestSchema.parse(body));
  const cancel = (body = {}, caller = ASKER) => withdrawals.cancel(caller, INTENT_ID, body);
  const sent = () => calls.filter(({ updateId }) => updateId !== undefined);
  const described = () => calls.filter(({ name }) => name === 'describe');
  const read = () => calls.length - sent().length;
  return { clock, touched, suspend, cancel, sent, described, read };
}

const open = () => ({
  suspension_id: SUSPENSION_ID,
  reattached: false,
  view: viewOf(),
  rows: [{ kind: 'memory of a row' }],
});

describe('asking a question', () => {
  it('resolves it with the platform default and returns what was opened [R26-02, R26-72]', async () => {
    const { suspend, sent, touched } = bench(open);
    const asked = await suspend(QUESTION);
    assert.deepEqual(asked, { created: true, view: viewOf(), warnings: [] });
    const input = sent()[0]?.args[0] as SuspendInput;
    assert.equal(input.actor, 'agent-1');
    assert.equal(input.draft.retry_policy?.max_attempts, 2);
    assert.equal(input.request?.key, 'refund-1');
    assert.deepEqual(
      [input.sender_writes, touched],
      [true, [INTENT_ID, `${SUSPENSION_ID} pending`, `1 rows of ${INTENT_ID}`]],
    );
  });

  it('judges the fallback, so that no workflow has to', async () => {
    const { suspend, sent } = bench(open);
    await suspend(QUESTION);
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'mars' } as const;
    const plain = { ...QUESTION, retry_policy: null, inherit_retry_policy: false };
    await suspend({ ...plain, ...fallback });
    const inputs = sent().map(({ args }) => args[0] as SuspendInput);
    assert.deepEqual(
      inputs.map(({ findings }) => findings?.fallback_value_valid),
      [undefined, false],
    );
  });

  it('reads the suspension as it stands on re-attaching', async () => {
    const reattach = () => ({ suspension_id: SUSPENSION_ID, reattached: true });
    const { suspend } = bench(reattach, intentOf(), settledView());
    const asked = await suspend(QUESTION);
    assert.deepEqual(asked, { created: false, view: settledView(), warnings: [] });
  });

  it('distinguishes two bodies under one request_key', async () => {
    const { suspend, sent } = bench(open);
    await suspend(QUESTION);
    await suspend({ request_key: 'refund-1', response_type: 'confirm', question: 'Refund?' });
    await suspend({ ...QUESTION, question: 'Refund all?' });
    const hashes = sent().map(({ args }) => (args[0] as SuspendInput).request?.body_hash);
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[0], hashes[2]);
  });

  describe('under a key that the intent may have forgotten', () => {
    /** An intent that has had so many keys that it only takes one which the store does not know. */
    const forgetful = ({ args }: FakeCall) => {
      if ((args[0] as SuspendInput).is_new) return open();
      throw updateRefused({ code: 'request_key_forgotten', detail: 'forgotten' });
    };
    const kept = (known?: { readonly id: string; readonly request_hash: string | null }) => ({
      findRequest: () => Promise.resolve(known),
    });

    it('gives the question that the store has', async () => {
      const known = { id: SUSPENSION_ID, request_hash: null };
      const { suspend, sent } = bench(forgetful, intentOf(), settledView(), kept(known));
      const asked = await suspend(QUESTION);
      assert.deepEqual(asked, { created: false, view: settledView(), warnings: [] });
      assert.equal(sent().length, 1);
    });

    it('is refused for another question than the store has', async () => {
      const known = { id: SUSPENSION_ID, request_hash: 'another' };
      const { suspend } = bench(forgetful, intentOf(), settledView(), kept(known));
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'request_key_reused');
    });

    it('asks if the store has none', async () => {
      const { suspend, sent } = bench(forgetful, intentOf(), viewOf(), kept());
      assert.equal((await suspend(QUESTION)).created, true);
      assert.equal(sent().length, 2);
    });

    it('asks nobody twice while the store is away', async () => {
      const away = { findRequest: () => Promise.reject(new Error('the store is away')) };
      const { suspend, sent } = bench(forgetful, intentOf(), viewOf(), away);
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'store_unavailable');
      assert.equal(sent().length, 1);
    });
  });

  describe('while an earlier one is in the way', () => {
    const state = { _suspension: { id: SUSPENSION_ID } };
    const waiting = intentOf({ status: 'suspended_awaiting_input', state });

    /** An intent that refuses so many times. */
    const refusing = (times: number) => {
      let left = times;
      return () => {
        if (left-- > 0) throw updateRefused({ code: 'intent_suspended', detail: 'suspended' });
        return open();
      };
    };

    it('is refused, and sent once', async () => {
      const { suspend, sent } = bench(refusing(1), waiting);
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'intent_suspended');
      assert.equal(sent().length, 1);
    });

    it('is sent again where the intent goes on by then', async () => {
      const { suspend, sent } = bench(refusing(1), intentOf({ status: 'active' }));
      assert.equal((await suspend(QUESTION)).created, true);
      assert.equal(sent().length, 2);
    });

    it('is sent again once the intent was told that the earlier one is over', async () => {
      const { suspend, sent, described } = bench(refusing(1), waiting, settledView());
      assert.equal((await suspend(QUESTION)).created, true);
      assert.deepEqual(
        [sent().length, described().map(({ workflowId }) => workflowId)],
        [2, [`team-b/intent-${INTENT_ID}`]],
      );
    });

    it('is sent twice at most', async () => {
      const { suspend, sent } = bench(refusing(2), intentOf({ status: 'active' }));
      assert.equal((await refusalFrom(suspend(QUESTION))).code, 'intent_suspended');
      assert.equal(sent().length, 2);
    });
  });

  it('warns of channels that are not configured, once each, and asks all the same', async () => {
    const { suspend, sent } = bench(open);
    const rung = (attempt: number, channel_hint: string) => ({ attempt, channel_hint });
    const escalation_ladder = [rung(1, 'slack'), rung(2, 'desk'), rung(2, 'pager')];
    const retry_policy = { escalation_ladder };
    const asked = await suspend({ ...QUESTION, channel_hint: 'slack', retry_policy });
    const notified = 'is not configured, so it notifies nobody; configured: mail, desk.';
    assert.deepEqual(asked.warnings, [
      `The channel slack ${notified}`,
      `The channel pager ${notified}`,
    ]);
    assert.equal(sent().length, 1);
  });

  it('warns of no channel that is configured', async () => {
    const { suspend } = bench(open);
    const asked = await suspend({ ...QUESTION, channel_hint: 'desk' });
    assert.deepEqual(asked.warnings, []);
  });

  it('sends no question that the rules refuse', async () => {
    const { suspend, sent } = bench(open);
    const refusal = await refusalFrom(suspend({ question: 'Which?', response_type: 'choice' }));
    assert.equal(refusal.code, 'invalid_choices');
    const fallback_value = 'x'.repeat(96 * 1_024);
    const large = await refusalFrom(suspend({ ...QUESTION, fallback_value }));
    assert.equal(large.code, 'question_too_large');
    assert.equal(sent().length, 0);
  });

  it('is unavailable without a worker', async () => {
    const { suspend, clock } = bench(hanging);
    const refused = refusalFrom(suspend(QUESTION));
    await clock.advance(10_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });

  it('is refused by an intent whose workflow has ended', async () => {
    const closed = () => {
      throw new WorkflowNotFoundError('closed', '', undefined);
    };
    const { suspend } = bench(closed, intentOf({ status: 'completed', version: 9 }));
    const { code, state } = await refusalFrom(suspend(QUESTION));
    assert.equal(code, 'intent_closed');
    assert.deepEqual(state, { intent_status: 'completed', current_version: 9 });
  });
});

describe('withdrawing a question', () => {
  const settle = () => ({ record: SETTLED, intent_id: INTENT_ID });
  const late = () => {
    throw updateRefused({ code: 'suspension_settled', detail: 'settled' });
  };
  const gone = () => {
    throw new WorkflowNotFoundError('closed', '', undefined);
  };

  it('reaches the open suspension, in the name of the caller [AM-34]', async () => {
    const { cancel, sent, touched } = bench(settle);
    assert.deepEqual(await cancel({ reason: 'moot' }), SETTLED);
    const [call] = sent();
    assert.equal(call?.workflowId, `suspension-${SUSPENSION_ID}`);
    const by = callerOf('agent-1');
    const named = { intent_id: INTENT_ID, by, reason: 'moot' };
    assert.deepEqual(call.args, [{ ...named, sender_writes: true }]);
    assert.deepEqual(touched, [INTENT_ID, `${SUSPENSION_ID} settled`]);
  });

  it('reads nothing first if the request names the suspension', async () => {
    const { cancel, read, sent } = bench(settle);
    await cancel({ suspension_id: SUSPENSION_ID }, callerOf('root', 'admin'));
    assert.deepEqual([sent().length, read()], [1, 0]);
  });

  it('is refused for a suspension that is not the open one', async () => {
    const mismatch = () => {
      throw updateRefused({ code: 'suspension_mismatch', detail: 'another' });
    };
    const { cancel } = bench(mismatch);
    const refusal = await refusalFrom(cancel({ suspension_id: OTHER_SUSPENSION_ID }));
    assert.equal(refusal.code, 'suspension_mismatch');
    assert.ok(!JSON.stringify(refusal).includes(SUSPENSION_ID));
  });

  it('is refused if no question is open', async () => {
    const { cancel } = bench(settle, intentOf({ status: 'active' }));
    assert.equal((await refusalFrom(cancel())).code, 'intent_not_suspended');
  });

  it('tells neither the outcome nor the state of an intent to who may not know', async () => {
    const closed = { access: { default_policy: 'closed', entries: [] }, owner: 'agent-1' } as const;
    const active = intentOf({ ...closed, status: 'active' });
    const queries = { asksOpenQuestion: async () => false };
    const stranger = callerOf('agent-2');
    for (const update of [late, gone]) {
      const { cancel } = bench(update, active, settledView(), queries);
      for (const id of [SUSPENSION_ID, OTHER_SUSPENSION_ID, undefined]) {
        const named = id === undefined ? {} : { suspension_id: id };
        const { code, state } = await refusalFrom(cancel(named, stranger));
        const shown = [state?.['value'], state?.['intent_status']];
        assert.deepEqual([code, ...shown], ['forbidden', undefined, undefined], id);
      }
      const own = await refusalFrom(cancel({ suspension_id: SUSPENSION_ID }));
      assert.deepEqual([own.code, own.state?.['value']], ['intent_not_suspended', 'yes']);
    }
  });

  it('gets the outcome if an answer came first', async () => {
    const { cancel } = bench(late, intentOf(), settledView());
    const { code, state } = await refusalFrom(cancel());
    assert.equal(code, 'suspension_settled');
    assert.equal(state?.['resolution'], 'responded');
  });
});
