import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Caller } from '../../../../api/parts/caller.js';
import {
  amendSuspension,
  claimSuspension,
  commentOnSuspension,
  delegateSuspension,
  releaseSuspension,
} from '../../../../api/usecases/suspension/verbs.js';
import type { AmendRequest } from '../../../../contracts/suspension/requests.js';
import type {
  ClaimRequest,
  CommentRequest,
  DelegateRequest,
  ReleaseRequest,
} from '../../../../contracts/suspension/verbs.js';
import {
  INTENT_ID,
  ManualClock,
  NOW,
  SUSPENSION_ID,
  callerOf,
  intentOf,
  refusalFrom,
  settledView,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';
import type { Amending } from '../../../../domain/suspension/asking/amendment.js';
import { fakeParts } from '../../support/parts.js';
import { closed, refuse } from './respond-bench.js';

const ALICE = { ...callerOf('alice', 'operator'), actor: 'desk 3' };
const ASKER = { ...callerOf('agent-1'), actor: 'desk 4' };
const at = (ms: number) => new Date(NOW + ms).toISOString();
const CLAIM = { holder: 'alice', claimed_at: at(0), expires_at: at(1_000) };

/** Verbs over fakes; `update` is how the workflow replies. */
function bench(
  update: (call: FakeCall) => unknown,
  suspension: object = {},
  view = settledView(),
  intent = intentOf(),
  directory?: object,
) {
  const clock = new ManualClock();
  const query = ({ name }: FakeCall): unknown => {
    if (name === 'intent') return { intent, last_sequence: 1 };
    return name === 'record' ? view : closed();
  };
  const { parts: faked, calls } = fakeParts({
    clock,
    temporal: { update, query },
    config: { suspension, ...(directory && { directory }) },
    deps: { agentsIn: () => new Set(['agent-1']) },
  });
  const touched: string[] = [];
  const consistency = { touch: (id: string) => void touched.push(id) } as never;
  const parts = { ...faked, consistency };
  const as = (caller: Caller) => ({ caller, parts });
  const verbs = {
    amendSuspension: (caller: Caller, id: string, request: AmendRequest) =>
      amendSuspension.run(as(caller), id, request),
    claimSuspension: (caller: Caller, id: string, seen?: ClaimRequest) =>
      claimSuspension.run(as(caller), id, seen),
    releaseSuspension: (caller: Caller, id: string, request?: ReleaseRequest) =>
      releaseSuspension.run(as(caller), id, request),
    commentOnSuspension: (caller: Caller, id: string, request: CommentRequest) =>
      commentOnSuspension.run(as(caller), id, request),
    delegateSuspension: (caller: Caller, id: string, request: DelegateRequest) =>
      delegateSuspension.run(as(caller), id, request),
  };
  return { verbs, calls, clock, touched };
}

describe('what people do to a question, on its way', () => {
  it('names who does it, in which name, and whether duties are separate', async () => {
    const { verbs, calls, touched } = bench(() => viewOf({ claim: CLAIM }));
    assert.equal((await verbs.claimSuspension(ALICE, SUSPENSION_ID)).claim?.holder, 'alice');
    const { actor, ...by } = ALICE;
    assert.deepEqual(calls[0]?.args, [{ by, actor }]);
    assert.deepEqual([calls[0].name, touched], ['claim', [INTENT_ID]]);
    await verbs.claimSuspension(ALICE, SUSPENSION_ID, { question_version: 2 });
    assert.deepEqual(calls[1]?.args, [{ by, actor, question_version: 2 }]);
    const separate = bench(() => viewOf(), { separation_of_duties: true });
    await separate.verbs.releaseSuspension(ALICE, SUSPENSION_ID);
    assert.deepEqual(separate.calls[0]?.args, [{ by, actor, separation_of_duties: true }]);
    await verbs.releaseSuspension(ALICE, SUSPENSION_ID, { what: 'delegation' });
    assert.deepEqual(calls[2]?.args, [{ by, actor, what: 'delegation' }]);
  });

  it('is told how a question ended that is settled, or was just before', async () => {
    const settled = refuse({ code: 'suspension_settled', detail: 'too late' });
    for (const update of [settled, closed]) {
      const { verbs } = bench(update);
      const { code, state } = await refusalFrom(verbs.claimSuspension(ALICE, SUSPENSION_ID));
      assert.deepEqual([code, state?.['responded_by']], ['suspension_settled', 'alice']);
    }
  });

  it('says of a settled question to those alone who may do this to it how it ended', async () => {
    const settled = refuse({ code: 'suspension_settled', detail: 'too late' });
    const told = async (work: Promise<unknown>) => {
      const { code, state } = await refusalFrom(work);
      return [code, state?.['value']];
    };
    const stranger = callerOf('agent-2');
    const mara = callerOf('mara', 'user');
    for (const update of [settled, closed]) {
      const { verbs } = bench(update);
      const comment = { text: 'Well?' };
      for (const by of [stranger, mara]) {
        const commented = verbs.commentOnSuspension(by, SUSPENSION_ID, comment);
        assert.deepEqual(await told(commented), ['forbidden', undefined], by.principal);
      }
      const refused = ['forbidden', undefined];
      assert.deepEqual(await told(verbs.claimSuspension(mara, SUSPENSION_ID)), refused);
      assert.deepEqual(await told(verbs.releaseSuspension(mara, SUSPENSION_ID)), refused);
      const asker = verbs.commentOnSuspension(ASKER, SUSPENSION_ID, comment);
      assert.deepEqual(await told(asker), ['suspension_settled', 'yes']);
    }
  });

  it('gets what the workflow refuses as it is', async () => {
    const state = { holder: 'bob', expires_at: at(9) };
    const refusal = { code: 'claimed_by_other', detail: 'bob has it', state } as const;
    const { verbs, touched } = bench(refuse(refusal));
    assert.deepEqual(await refusalFrom(verbs.claimSuspension(ALICE, SUSPENSION_ID)), refusal);
    assert.deepEqual(touched, []);
  });

  it('asks nobody about what is no id', async () => {
    const { verbs, calls } = bench(() => viewOf());
    const { code } = await refusalFrom(verbs.claimSuspension(ALICE, 'nonsense'));
    assert.deepEqual([code, calls], ['suspension_not_found', []]);
  });

  it('passes on texts and names, and no question to an agent', async () => {
    const { verbs, calls } = bench(() => viewOf());
    const { actor, ...by } = ALICE;
    await verbs.commentOnSuspension(ALICE, SUSPENSION_ID, { text: 'She called.' });
    await verbs.delegateSuspension(ALICE, SUSPENSION_ID, { to: 'carol', reason: 'away' });
    assert.deepEqual(
      calls.map(({ name, args }) => [name, args]),
      [
        ['comment', [{ by, actor, text: 'She called.' }]],
        ['delegate', [{ by, actor, to: 'carol', reason: 'away' }]],
      ],
    );
    const toGroup = { to_group: 'agent-1', reason: 'away' };
    await verbs.delegateSuspension(ALICE, SUSPENSION_ID, toGroup);
    assert.deepEqual(calls.pop()?.args, [{ by, actor, ...toGroup }]);
    const toAgent = { to: 'agent-1', reason: 'away' };
    const refusal = await refusalFrom(verbs.delegateSuspension(ALICE, SUSPENSION_ID, toAgent));
    assert.deepEqual([refusal.code, refusal.field, calls.length], ['not_eligible', 'to', 2]);
  });

  it('says of a corrected question whether its fallback could still be an answer', async () => {
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;
    const { record } = viewOf();
    const open = viewOf({ record: { ...record, response_type: 'choice', ...fallback } });
    const { verbs, calls } = bench(() => open, {}, open);
    const choices = [{ value: 'later', label: 'Later' }];
    await verbs.amendSuspension(ASKER, SUSPENSION_ID, { choices, question_version: 1 });
    const [sent] = calls.flatMap(({ name, args }) => (name === 'amend' ? [args[0]] : []));
    assert.equal((sent as Amending).findings?.fallback_value_valid, false);
  });

  it('corrects a question by the rules of asking, for the version that it names', async () => {
    const open = viewOf();
    const { verbs, calls } = bench(() => open, {}, open);
    const { actor, ...by } = ASKER;
    const request = { question: 'Refund it in part?', question_version: 1, reason: 'late' };
    await verbs.amendSuspension(ASKER, SUSPENSION_ID, request);
    const { question, ...rest } = request;
    const sent = calls.filter(({ name }) => name === 'amend').map(({ args }) => args[0]);
    assert.deepEqual(sent, [{ by, actor, ...rest, amendment: { question }, findings: {} }]);
    const wrong = { ...request, choices: [{ value: 'later', label: 'Later' }] };
    const { code } = await refusalFrom(verbs.amendSuspension(ASKER, SUSPENSION_ID, wrong));
    assert.equal(code, 'invalid_choices');
    assert.equal(calls.filter(({ name }) => name === 'amend').length, 1);
    const others = await refusalFrom(verbs.amendSuspension(ALICE, SUSPENSION_ID, wrong));
    assert.equal(others.code, 'forbidden');
  });

  it('corrects nothing that would not fit into the state of its intent', async () => {
    const open = viewOf();
    const full = intentOf({ state: { all: 'x'.repeat(512 * 1_024) } });
    const { verbs, calls } = bench(() => open, {}, open, full);
    const request = { question: 'Refund half of the order?', question_version: 1 };
    const { code } = await refusalFrom(verbs.amendSuspension(ASKER, SUSPENSION_ID, request));
    assert.equal(code, 'state_too_large');
    assert.ok(!calls.some(({ name }) => name === 'amend'));
  });
});
