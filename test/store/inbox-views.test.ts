import assert from 'node:assert/strict';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../contracts/people/caller.js';
import type { DecisionRule, Eligible } from '../../contracts/suspension/decision.js';
import type { EligibilityChange, JournalRow } from '../../contracts/log/journal.js';
import type { LadderEntry } from '../../contracts/suspension/retry-policy.js';
import type { Settlement, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { judgeAnswer } from '../../domain/suspension/answering/answer.js';
import { decisionOf } from '../../domain/suspension/answering/decision.js';
import { askersOf } from '../../domain/suspension/answering/resume.js';
import type { SuspensionState } from '../../domain/suspension/record/state.js';
import { writeRows } from '../../store/journal-writer.js';
import {
  countSuspensions,
  listSuspensions,
  type InboxConditions,
} from '../../store/queries/inbox.js';
import { caller } from '../support/callers.js';
import { useStore } from '../support/store.js';
import { ANSWER, aRecord, instant, openedRow, progressRow, settledRow } from './rows.js';

const PEOPLE = ['alice', 'bob', 'carol \ud800'] as const;
const GROUPS = ['finance', 'eu'] as const;
const RULE: DecisionRule = { eligible: {}, excluded: [], quorum: 1, denials: [], veto: true };
const NOW = Date.parse(instant(30));

/** A question as a test makes it: its rule, and what has happened to it. */
interface Sample {
  readonly rule: DecisionRule | undefined;
  readonly ladder: readonly LadderEntry[];
  readonly attempt: number;
  readonly changed: EligibilityChange | undefined;
  readonly voters: readonly string[];
  readonly on_behalf_of: string | undefined;
  readonly asked_by: string;
  readonly asked_as: string | undefined;
  readonly isSettled: boolean;
}

const someOf = <T>(...all: readonly T[]) => fc.subarray([...all]);
const anyAttempt = fc.integer({ min: 1, max: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyEligible = fc.record(
  {
    principals: someOf(...PEOPLE),
    roles: someOf('operator' as const, 'admin' as const),
    groups: someOf(...GROUPS),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Eligible>;
const anyRule: fc.Arbitrary<DecisionRule> = fc.record({
  eligible: anyEligible,
  excluded: someOf(...PEOPLE),
  quorum: fc.constantFrom(1, 3),
  denials: fc.constant(['no']),
  veto: fc.boolean(),
});
const anyRung = fc.record({
  attempt: anyAttempt,
  channel_hint: fc.constant('console'),
  eligible: maybe(anyEligible),
});
const anySample: fc.Arbitrary<Sample> = fc.record({
  rule: maybe(anyRule),
  ladder: fc.array(
    anyRung.map(({ eligible, ...rung }) => ({ ...rung, ...(eligible && { eligible }) })),
    { maxLength: 3 },
  ),
  attempt: anyAttempt,
  changed: maybe(fc.record({ eligible: anyEligible, attempt: anyAttempt })),
  voters: someOf(...PEOPLE),
  on_behalf_of: maybe(fc.constantFrom(...PEOPLE)),
  asked_by: fc.constantFrom('agent-1', ...PEOPLE),
  asked_as: maybe(fc.constantFrom('agent-2', ...PEOPLE)),
  isSettled: fc.boolean(),
});

const anyCaller: fc.Arbitrary<Caller> = fc.record({
  space: fc.constant('default'),
  principal: fc.constantFrom(...PEOPLE, 'dana'),
  // Without one of the first two nobody answers, and the API asks for no view.
  roles: fc.constantFrom<Caller['roles']>(['operator'], ['admin'], ['operator', 'auditor']),
  groups: someOf(...GROUPS, 'sales'),
});

/** The state of a question as its workflow has it, and the rows that it left, in one order or the other. */
function asked(sample: Sample, intent_id: string, isReversed: boolean) {
  const { rule, ladder, attempt, changed, asked_by, asked_as, on_behalf_of, isSettled } = sample;
  const record = aRecord({
    ...(rule && { decision_rule: rule }),
    ...(on_behalf_of !== undefined && { on_behalf_of }),
    retry_policy: {
      max_attempts: 3,
      interval_seconds: 60,
      strategy: 'fixed',
      escalation_ladder: [...ladder],
      final_fallback_policy: 'fail',
    },
  });
  const votes = rule && rule.quorum > 1 ? sample.voters.map(voteOf) : undefined;
  const counted = votes?.map(({ vote }) => vote);
  const progress = {
    ...progressRow(record.id, 1, attempt),
    ...(counted && { votes: counted }),
    ...(changed && { eligibility: changed }),
  };
  const rows: JournalRow[] = [
    { ...openedRow(intent_id, record), asked_by, ...(asked_as && { asked_as }) } as JournalRow,
    progress,
    ...(isSettled ? [settledRow(record.id, 1)] : []),
  ];
  const settled: SuspensionRecord = { ...record, resolution: 'responded' };
  const state: SuspensionState = {
    intent_id,
    record: isSettled ? settled : record,
    attempt,
    ...(votes && { votes }),
    ...(changed && { eligibility: changed }),
  };
  const { rule: inForce } = decisionOf(record, attempt, counted, changed);
  return { id: record.id, rows: isReversed ? rows.reverse() : rows, state, rule: inForce };
}

function voteOf(principal: string) {
  const vote = { principal, actor: principal, value: 'yes' as const, question_version: 1 };
  return { vote: { ...vote, counted_at: instant(9) }, answer: { ...ANSWER, key: principal } };
}

/** Whether the judge of answers would count one of this caller that it has not counted yet. */
function waitsFor(by: Caller, state: SuspensionState, sample: Sample, separates: boolean) {
  const { asked_by, asked_as, on_behalf_of } = sample;
  const askers = askersOf({
    asked_by,
    ...(asked_as !== undefined && { asked_as }),
    record: { on_behalf_of },
  });
  const answer = {
    value: 'yes',
    by,
    responded_by: by.principal,
    separation_of_duties: separates,
    answer: { key: 'new', body_hash: '' },
  };
  const judged = judgeAnswer(state, answer, NOW, askers);
  return judged.ok && !judged.value.repeated;
}

describe('the views of the inbox', () => {
  const store = useStore();

  const list = async (state: 'pending' | 'settled', conditions: InboxConditions) => {
    const query = { ...conditions, state, sort: 'oldest', limit: 100 } as const;
    const { rows } = await listSuspensions(store.db, query);
    return rows.map(({ entry }) => entry.id).sort();
  };
  /** What a view of these callers shows of the questions of one intent, open and settled, and how many it counts. */
  const shown = async (conditions: InboxConditions) => {
    const ids = [...(await list('pending', conditions)), ...(await list('settled', conditions))];
    const counts = await countSuspensions(store.db, conditions);
    assert.equal(counts.pending + counts.responded, ids.length);
    return ids.sort();
  };

  it('for one person agree with the judge of answers, whatever the rule', async () => {
    const samples = fc.array(anySample, { minLength: 1, maxLength: 8 });
    const callers = fc.array(anyCaller, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(
      samples,
      callers,
      fc.boolean(),
      fc.boolean(),
      async (all, people, isReversed, separates) => {
        const intent_id = randomUUID();
        const questions = all.map((sample) => asked(sample, intent_id, isReversed));
        await writeRows(
          store.db,
          questions.flatMap(({ rows }) => rows),
        );
        for (const by of people) {
          const expected = questions.filter(({ state }, index) =>
            waitsFor(by, state, all[index] ?? assert.fail(), separates),
          );
          const view = { kind: 'for_me', by, as_initiator: false } as const;
          assert.deepEqual(
            await shown({ intent_id, view: { ...view, separation_of_duties: separates } }),
            expected.map(({ id }) => id).sort(),
          );
          const inGroups = questions.filter(({ rule }) =>
            rule.eligible.groups?.some((group) => by.groups.includes(group)),
          );
          assert.deepEqual(
            await shown({ intent_id, view: { kind: 'groups', groups: by.groups } }),
            inGroups.map(({ id }) => id).sort(),
          );
        }
      },
    );
    await fc.assert(property, { numRuns: 25 });
  }).timeout(60_000);

  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  it('of a group shows the questions that name it, open and settled', async () => {
    const intent_id = randomUUID();
    const named = (groups: string[]) =>
      openedRow(intent_id, aRecord({ decision_rule: { ...RULE, eligible: { groups } } }));
    const rows = [named(['finance']), named(['finance', 'eu']), named(['eu'])];
    const [first, second] = rows.map((row) => (row as { record: SuspensionRecord }).record.id);
    await write(...rows, settledRow(second ?? '', 1));
    assert.deepEqual(await list('pending', { intent_id, group: 'finance' }), [first]);
    assert.deepEqual(await list('settled', { intent_id, group: 'finance' }), [second]);
    assert.deepEqual(await list('pending', { intent_id, group: 'sales' }), []);
  });

  it('of what somebody holds shows it until the claim ends', async () => {
    const intent_id = randomUUID();
    const [mine, other, free] = [aRecord(), aRecord(), aRecord()];
    const claimOf = (holder: string) => ({
      claim: { holder, claimed_at: instant(1), expires_at: instant(60) },
    });
    await write(
      ...[mine, other, free].map((record) => openedRow(intent_id, record)),
      { ...progressRow(mine.id, 1, 1), ...claimOf('alice') },
      { ...progressRow(other.id, 1, 1), ...claimOf('bob') },
    );
    const at = (seconds: number) => ({
      intent_id,
      view: { kind: 'claimed', holder: 'alice', now: instant(seconds) } as const,
    });
    assert.deepEqual(await shown(at(59)), [mine.id]);
    assert.deepEqual(await shown(at(60)), []);
    await write(settledRow(mine.id, 2));
    assert.deepEqual(await shown(at(59)), []);
  });

  it('of what somebody answered shows what counts, open and settled', async () => {
    const intent_id = randomUUID();
    const [open, given, alone, named, other] = [1, 2, 3, 4, 5].map(() => aRecord());
    assert.ok(open && given && alone && named && other);
    const votes = [voteOf('alice'), voteOf('carol \ud800')].map(({ vote }) => vote);
    const answered = (id: string, changes: Partial<Settlement>) => {
      const row = settledRow(id, 2);
      return { ...row, settlement: { ...row.settlement, ...changes } };
    };
    await write(
      ...[open, given, alone, named, other].map((record) => openedRow(intent_id, record)),
      { ...progressRow(open.id, 1, 1), votes },
      answered(given.id, { responded_by: 'bob', votes }),
      answered(alone.id, { responded_by: 'alice', submitted_by: 'alice' }),
      answered(named.id, { responded_by: 'bob', submitted_by: 'alice' }),
    );
    const of = (answerer: string) => ({
      intent_id,
      view: { kind: 'answered', answerer } as const,
    });
    assert.deepEqual(await list('pending', of('alice')), [open.id]);
    assert.deepEqual(await list('settled', of('alice')), [given.id, alone.id, named.id].sort());
    assert.deepEqual(await shown(of('carol \ud800')), [open.id, given.id].sort());
    assert.deepEqual(await shown(of('bob')), [given.id, named.id].sort());
    assert.deepEqual(await shown(of('dave')), []);
  });

  it('of a user shows only what was asked for it', async () => {
    const intent_id = randomUUID();
    const part = (on_behalf_of: string) => ({ proposal: { on_behalf_of, version: 1 } }) as never;
    const [mine, other] = ['ursula', 'vera'].map((name) => aRecord({ approval: part(name) }));
    assert.ok(mine && other);
    await write(openedRow(intent_id, mine), openedRow(intent_id, other));
    const by = caller('ursula', 'user', 'auditor');
    const view = { kind: 'for_me', by, separation_of_duties: false, as_initiator: true } as const;
    assert.deepEqual(await list('pending', { intent_id, view }), [mine.id]);
  });

  it('of a person shows what was passed on to it, whomever the rule names', async () => {
    const intent_id = randomUUID();
    const rule = { ...RULE, eligible: { principals: ['alice'] } };
    const record = aRecord({ decision_rule: rule });
    const progress = { ...progressRow(record.id, 1, 1), delegates: ['carol'] };
    await write(openedRow(intent_id, record), progress);
    const of = (by: Caller) =>
      list('pending', {
        intent_id,
        view: { kind: 'for_me', by, separation_of_duties: false, as_initiator: false },
      });
    assert.deepEqual(await of(caller('carol', 'operator')), [record.id]);
    assert.deepEqual(await of(caller('dave', 'operator')), []);
  });

  it('of a person shows what was passed on to its groups, unless by itself alone, or asked by it', async () => {
    const intent_id = randomUUID();
    const rule = { ...RULE, eligible: { principals: ['alice'] }, excluded: ['eve'] };
    const asked = () => aRecord({ decision_rule: rule, on_behalf_of: 'uma' });
    const [record, other] = [asked(), asked()];
    const passed = (makers: readonly string[]) => ({
      ...progressRow(record.id, makers.length, 1),
      delegate_groups: { finance: makers, [`a "b" \ud800`]: ['alice'] },
    });
    const named = { ...openedRow(intent_id, record), asked_by: 'agent-1', asked_as: 'agent-2' };
    await write(named, passed(['zoe']), openedRow(intent_id, other));
    const isForMe = async (principal: string, ...groups: string[]) => {
      const by = { ...caller(principal, 'operator'), groups };
      const view = {
        kind: 'for_me',
        by,
        separation_of_duties: false,
        as_initiator: false,
      } as const;
      return (await list('pending', { intent_id, view })).includes(record.id);
    };
    assert.deepEqual(
      [await isForMe('dave', 'finance'), await isForMe('dave', 'eu', 'finance')],
      [true, true],
    );
    assert.ok(await isForMe('dave', 'a "b" \ud800'));
    assert.deepEqual([await isForMe('dave'), await isForMe('dave', 'eu')], [false, false]);
    for (const name of ['zoe', 'uma', 'agent-2', 'agent-1', 'eve']) {
      assert.equal(await isForMe(name, 'finance'), false, name);
    }
    await write(passed(['zoe', 'bob']));
    assert.ok(await isForMe('zoe', 'finance'));
    const inGroups = async (...groups: string[]) =>
      list('pending', { intent_id, view: { kind: 'groups', groups } });
    assert.deepEqual(await inGroups('finance'), [record.id]);
    assert.deepEqual(await inGroups('eu'), []);
    assert.deepEqual(await list('pending', { intent_id, group: 'finance' }), [record.id]);
  });
});
