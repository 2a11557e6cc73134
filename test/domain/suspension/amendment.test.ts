import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { resolveAmendment } from '../../../domain/suspension/asking/amended-question.js';
import { isAmending, judgeAmendment } from '../../../domain/suspension/asking/amendment.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE, versionOf } from '../../../domain/suspension/answering/decision.js';
import {
  amendedPart,
  settlementOf,
  type SuspensionState,
} from '../../../domain/suspension/record/state.js';
import type { Attended } from '../../../domain/suspension/people/verb.js';
import { caller, sent } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';

const OPENED = toMillis(OPENED_AT);
const AGENT = sent('agent-1', 'agent');
const CHOICES = ['approve', 'deny'].map((value) => ({ value, label: value }));
const RECORD = recordWith({ response_type: 'choice', choices: CHOICES });
const OPEN: SuspensionState = { intent_id: null, record: RECORD, attempt: 1 };
const NEW = { question: 'Refund it in part?' };

const VOTE = { principal: 'ann', actor: 'ann', value: 'approve', question_version: 1 };
const VOTES = [{ vote: { ...VOTE, counted_at: OPENED_AT }, answer: { key: 'a', body_hash: '' } }];

const attended = (fields: Partial<Attended> = {}): Attended => ({
  state: OPEN,
  timeline: [],
  isAmendable: true,
  asker: 'agent-1',
  askers: ['agent-1'],
  ...fields,
});
const amend = (of = attended(), by = AGENT, question_version = 1, amendment = NEW) =>
  judgeAmendment(of, { ...by, question_version, amendment, reason: 'half of it came' }, OPENED + 5);

describe('an amendment of a question', () => {
  it('makes the next version, and says what changed and why', () => {
    const { state, entry } = granted(amend());
    const { question, question_version, amended_at, choices } = state.record;
    assert.deepEqual([question, question_version, choices], [NEW.question, 2, CHOICES]);
    assert.equal(toMillis(amended_at ?? ''), OPENED + 5);
    assert.deepEqual(entry, [
      'amended',
      {
        amended_by: 'agent-1',
        question_version: 2,
        changed: ['question'],
        question: NEW.question,
        reason: 'half of it came',
      },
    ]);
    const next = amend(attended({ state }), AGENT, 2, { question: 'Refund half?' });
    assert.equal(versionOf(granted(next).state.record), 3);
  });

  it('says neither a question nor a reason that it does not have', () => {
    const amendment = { choices: CHOICES.slice(1) };
    const amending = { ...AGENT, question_version: 1, amendment };
    const { entry } = granted(judgeAmendment(attended(), amending, OPENED));
    const detail = { amended_by: 'agent-1', question_version: 2, changed: ['choices'] };
    assert.deepEqual(entry, ['amended', detail]);
  });

  it('is not counted with what else was done', () => {
    const talk = Array.from({ length: LIMITS.amendments }, (_, at): TimelineEntry => {
      return { sequence: at + 1, at: OPENED_AT, kind: 'commented', detail: {} };
    });
    granted(amend(attended({ timeline: talk })));
    const amended = talk.map((entry): TimelineEntry => ({ ...entry, kind: 'amended' }));
    assert.match(refused(amend(attended({ timeline: amended }))).accepted ?? '', /at most 10/);
    const { accepted } = refused(amend(attended({ isAmendable: false })));
    assert.match(accepted ?? '', /an approval is edited/);
  });

  it('lets the votes on the version before fall away', () => {
    assert.deepEqual(
      granted(amend(attended({ state: { ...OPEN, votes: VOTES } }))).state.votes,
      [],
    );
    assert.equal(granted(amend()).state.votes, undefined);
  });

  it('that changes nothing makes no version, and votes stay', () => {
    const state = { ...OPEN, votes: VOTES };
    const same = { question: RECORD.question, choices: CHOICES };
    assert.deepEqual(granted(amend(attended({ state }), AGENT, 1, same)), { state });
    assert.ok(granted(amend(attended({ state }), AGENT, 1, { ...same, ...NEW })).entry);
  });

  it('is for who asked and for admins, of a question that is open', () => {
    granted(amend(undefined, sent('root', 'admin')));
    for (const by of [sent('agent-2', 'agent'), sent('alice', 'operator')]) {
      assert.equal(refused(amend(undefined, by)).code, 'forbidden');
    }
    const settled = attended({ state: { ...OPEN, record: settledWith() } });
    assert.equal(refused(amend(settled)).code, 'suspension_settled');
  });

  it('is of nothing that approvals or plans ask', () => {
    const approval = attended({ state: { ...OPEN, record: { ...RECORD, approval: partWith() } } });
    for (const to of [approval, attended({ isAmendable: false })]) {
      assert.equal(refused(amend(to)).code, 'not_amendable');
    }
  });

  it('is of the current version, and the same once more changes nothing', () => {
    const { state } = granted(amend());
    assert.equal(granted(amend(attended({ state }))).entry, undefined);
    const other = amend(attended({ state }), AGENT, 1, { question: 'Another?' });
    const { code, accepted, state: told } = refused(other);
    assert.deepEqual([code, accepted], ['question_version_mismatch', '2']);
    assert.deepEqual(told, { question_version: 2 });
    assert.equal(refused(amend(undefined, AGENT, 2)).code, 'question_version_mismatch');
  });

  it('is refused once there were too many, or no room is left', () => {
    const told = (detail: TimelineEntry['detail']): TimelineEntry => ({
      sequence: 1,
      at: OPENED_AT,
      kind: 'amended',
      detail,
    });
    const many = Array.from({ length: LIMITS.amendments }, () => told({}));
    const large = [told({ question: 'x'.repeat(LIMITS.verbsBytes) })];
    for (const timeline of [many, large]) {
      assert.equal(refused(amend(attended({ timeline }))).code, 'too_many_changes');
    }
    granted(amend(attended({ timeline: many.slice(1) })));
  });

  it('has a version and fields', () => {
    const whole = { ...AGENT, question_version: 1, amendment: NEW };
    assert.ok(isAmending(whole) && isAmending({ ...whole, reason: 'why' }));
    for (const fields of [{ question_version: 'x' }, { amendment: [] }, { reason: 1 }, { by: 1 }]) {
      assert.ok(!isAmending({ ...whole, ...fields }), JSON.stringify(fields));
    }
    assert.ok(!isAmending(null));
  });
});

describe('an answer to an amended question', () => {
  const { state } = granted(amend());
  const answer = (at: number, version?: number) => {
    const by = caller('alice', 'operator');
    const key = { key: 'r:1', body_hash: '' };
    const named = version === undefined ? {} : { question_version: version };
    const given = { value: 'approve', responded_by: 'alice', by, answer: key, ...named };
    return judgeAnswer(state, given, at);
  };

  it('is refused for the version before, and without a version, whenever it came in', () => {
    for (const blind of [answer(OPENED + 9, 1), answer(OPENED + 4), answer(OPENED + 9)]) {
      const { code, accepted, detail, state: told } = refused(blind);
      assert.deepEqual([code, accepted], ['question_version_mismatch', '2']);
      assert.match(detail, /2, the current one|the current one is 2/);
      assert.deepEqual(told, { question_version: 2 });
    }
    granted(answer(OPENED + 9, 2));
  });

  it('settles it with what it was amended to, for who knows only how it was asked', () => {
    const settled = granted(answer(OPENED + 9, 2)).state.record;
    const { question, question_version } = settlementOf(settled as never);
    assert.deepEqual([question, question_version], [NEW.question, 2]);
    assert.equal(amendedPart(RECORD), undefined);
    assert.equal('question' in settlementOf(settledWith()), false);
  });
});

describe('the fields of an amendment', () => {
  const limits = { contextBytes: 100, questionBytes: 1_000 };
  const resolve = (wanted: Parameters<typeof resolveAmendment>[1], record = RECORD) =>
    resolveAmendment(record, wanted, limits);

  it('are judged by the rules of asking', () => {
    const choices = [{ value: 'later', label: 'Later' }];
    assert.deepEqual(granted(resolve({ ...NEW, choices })), { ...NEW, choices });
    const twice = [...choices, ...choices];
    for (const [wanted, code] of [
      [{ choices: twice }, 'invalid_choices'],
      [{ choices: [] }, 'invalid_choices'],
      [{ context: { text: 'x'.repeat(100) } }, 'invalid_request'],
      [{ context: { text: 'x'.repeat(100) }, ...NEW }, 'invalid_request'],
      [{ response_schema: { type: 'nonsense' } }, 'invalid_response_schema'],
      [{ question: 'x'.repeat(1_000) }, 'question_too_large'],
      [{}, 'invalid_request'],
    ] as const) {
      const { code: refusedWith } = refused(resolve(wanted as never));
      assert.equal(refusedWith, code, JSON.stringify(wanted).slice(0, 60));
    }
  });

  it('have a schema for what is answered: of a form its value, of others their data', () => {
    const schema = { response_schema: { type: 'string' } };
    granted(resolve(schema, recordWith({ response_type: 'form' })));
    const { code, accepted } = refused(resolve(schema));
    assert.equal(code, 'invalid_response_schema');
    assert.equal(accepted, 'object, or no type');
  });

  it('fit the rule by which people decide, also with choices and a form at once', () => {
    const decision_rule = { ...DEFAULT_RULE, quorum: 2, denials: ['deny'] };
    const record = recordWith({ response_type: 'choice', choices: CHOICES, decision_rule });
    const choices = [{ value: 'later', label: 'Later' }];
    assert.equal(refused(resolve({ choices }, record)).code, 'invalid_decision_rule');
    const schema = { response_schema: { type: 'object' } };
    for (const wanted of [schema, { ...schema, choices: CHOICES }]) {
      assert.equal(refused(resolve(wanted, record)).code, 'invalid_response_schema');
    }
    granted(resolve(schema));
    const all = { choices: [...CHOICES, ...choices] };
    const denials = { ...decision_rule, denials: ['later'] };
    assert.deepEqual(granted(resolve(all, { ...record, decision_rule: denials })), all);
  });

  it('say what would be accepted where they are refused', () => {
    const { accepted: some } = refused(resolve({}));
    assert.match(some ?? '', /question, text_format, choices, context and response_schema/);
    assert.match(refused(resolve({ question: 'x'.repeat(1_000) })).accepted ?? '', /1000 bytes/);
  });

  it('may make the question as large as it may be, and no larger', () => {
    const most = jsonBytes({ ...RECORD, ...NEW });
    const within = (questionBytes: number) =>
      resolveAmendment(RECORD, NEW, { contextBytes: 100, questionBytes });
    assert.deepEqual(granted(within(most)), NEW);
    assert.equal(refused(within(most - 1)).code, 'question_too_large');
  });

  it('leave out what channels fill in', () => {
    assert.deepEqual(granted(resolve({ context: { order: 7, _attempt: 3 } })).context, {
      order: 7,
    });
  });
});
