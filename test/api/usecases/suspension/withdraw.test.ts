import assert from 'node:assert/strict';
import {
  INTENT_ID,
  OTHER_SUSPENSION_ID,
  SETTLED,
  SUSPENSION_ID,
  callerOf,
  closed,
  intentOf,
  refusalFrom,
  settledView,
  updateRefused,
} from '../../support/fakes.js';
import { askingBench } from './asking-bench.js';

describe('withdrawing a question', () => {
  const settle = () => ({ record: SETTLED, intent_id: INTENT_ID });
  const late = () => {
    throw updateRefused({ code: 'suspension_settled', detail: 'settled' });
  };

  it('reaches the open suspension, in the name of the caller [AM-34]', async () => {
    const { cancel, sent, touched } = askingBench(settle);
    assert.deepEqual(await cancel({ reason: 'moot' }), SETTLED);
    const [call] = sent();
    assert.equal(call?.workflowId, `suspension-${SUSPENSION_ID}`);
    const by = callerOf('agent-1');
    const named = { intent_id: INTENT_ID, by, reason: 'moot' };
    assert.deepEqual(call.args, [{ ...named, sender_writes: true }]);
    assert.deepEqual(touched, [INTENT_ID, `${SUSPENSION_ID} settled`]);
  });

  it('reads nothing first if the request names the suspension', async () => {
    const { cancel, read, sent } = askingBench(settle);
    await cancel({ suspension_id: SUSPENSION_ID }, callerOf('root', 'admin'));
    assert.deepEqual([sent().length, read()], [1, 0]);
  });

  it('is refused for a suspension that is not the open one', async () => {
    const mismatch = () => {
      throw updateRefused({ code: 'suspension_mismatch', detail: 'another' });
    };
    const { cancel } = askingBench(mismatch);
    const refusal = await refusalFrom(cancel({ suspension_id: OTHER_SUSPENSION_ID }));
    assert.equal(refusal.code, 'suspension_mismatch');
    assert.ok(!JSON.stringify(refusal).includes(SUSPENSION_ID));
  });

  it('is refused if no question is open', async () => {
    const { cancel } = askingBench(settle, intentOf({ status: 'active' }));
    assert.equal((await refusalFrom(cancel())).code, 'intent_not_suspended');
  });

  it('tells neither the outcome nor the state of an intent to who may not know', async () => {
    const list = { access: { default_policy: 'closed', entries: [] }, owner: 'agent-1' } as const;
    const active = intentOf({ ...list, status: 'active' });
    const queries = { asksOpenQuestion: async () => false };
    const stranger = callerOf('agent-2');
    for (const update of [late, closed]) {
      const { cancel } = askingBench(update, active, settledView(), queries);
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
    const { cancel } = askingBench(late, intentOf(), settledView());
    const { code, state } = await refusalFrom(cancel());
    assert.equal(code, 'suspension_settled');
    assert.equal(state?.['resolution'], 'responded');
  });
});
