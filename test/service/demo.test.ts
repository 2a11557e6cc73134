import assert from 'node:assert/strict';
import type { IntentEvent } from '../../contracts/intent/event.js';
import {
  askedAt,
  expectedEvents,
  firstDifference,
  seeLateness,
} from '../../examples/demo/expectations.js';
import { Lateness, playInTurn } from '../../examples/demo/lateness.js';
import { stackLines } from '../../examples/demo/on-stack.js';
import { intervalFor, questionsEvery, type Question } from '../../examples/demo/story.js';

const ASKED = Date.parse('2026-03-24T10:00:00.000Z');
const DEADLINE = new Date(ASKED + 18_000).toISOString();

/** The log of a question that went exactly as planned, each timed line `lateMs` after its instant. */
function logOf(question: Question, lateMs = 40, answeredIn = 2): IntentEvent[] {
  return expectedEvents(question, ASKED, answeredIn).map((expected, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    intent_id: '00000000-0000-4000-8000-0000000000ff',
    sequence: index + 1,
    event_type: expected.type,
    actor: 'holdpoint',
    principal: 'holdpoint',
    payload: { ...expected.payload, expires_at: DEADLINE },
    created_at: new Date(ASKED + (expected.plannedMs ?? 0) + lateMs).toISOString(),
    payload_commitment: `sha256:${'B'.repeat(43)}`,
    previous_event_hash: null,
    event_hash: `sha256:${'A'.repeat(43)}`,
  }));
}

describe('the check of the demo', () => {
  const [answered] = questionsEvery(6);
  assert.ok(answered?.answer !== undefined);

  it('takes an answer that comes a whole interval late, and says so', () => {
    const log = logOf(answered, 40, 3);
    const resumed = log.at(-1);
    assert.ok(resumed);
    const late = { ...resumed, created_at: new Date(ASKED + 15_000).toISOString() };
    const whole = [...log.slice(0, -1), late];
    assert.deepEqual(
      whole.map(({ event_type, payload }) => [event_type, payload['attempt']]).slice(2),
      [
        ['intent.suspension_renotified', 2],
        ['intent.suspension_escalated', 2],
        ['intent.suspension_renotified', 3],
        ['intent.suspension_escalated', 3],
        ['intent.resumed', 3],
      ],
    );
    assert.equal(firstDifference(answered, whole), undefined);
    const notes: string[] = [];
    seeLateness(answered, whole, new Lateness((text) => notes.push(text)));
    assert.deepEqual(notes, ['order 12345, intent.resumed is 3000 ms late: the machine is busy']);
  });

  for (const [name, question, answeredIn] of [
    ['an answer that comes late', answered, 3],
    ...questionsEvery(6).map((one) => [`order ${one.order} as planned`, one, 2] as const),
  ] as const) {
    it(`accepts ${name}, and finds each line that is missing, early, changed or too many`, () => {
      const whole = logOf(question, 40, answeredIn);
      assert.equal(firstDifference(question, whole), undefined);
      for (const index of whole.keys()) {
        const rest = [...whole.slice(0, index), ...whole.slice(index + 1)];
        assert.notEqual(firstDifference(question, rest), undefined, `line ${index + 1}`);
      }
      const early = logOf(question, -1, answeredIn);
      assert.match(firstDifference(question, early) ?? '', /is 1 ms early$/);
      const twice = [...whole, ...whole.slice(-1)];
      assert.match(firstDifference(question, twice) ?? '', /one line too many$/);
      const changed = whole.map((event, index) =>
        index === 2 ? { ...event, payload: { ...event.payload, channel_hint: 'fax' } } : event,
      );
      const difference = firstDifference(question, changed);
      assert.match(difference ?? '', /line 3: .*channel_hint is "fax", not "email"$/);
      assert.equal(askedAt(question, whole), ASKED);
    });
  }

  it('notes what is late, which is no other log', () => {
    const notes: string[] = [];
    const late = new Lateness((text) => notes.push(text));
    seeLateness(answered, logOf(answered, 2_500), late);
    assert.deepEqual([notes, late.summary], [[], 'nothing early, nothing over 2.5 s late']);
    const log = logOf(answered, 2_501);
    assert.equal(firstDifference(answered, log), undefined);
    seeLateness(answered, log, late);
    const timed = expectedEvents(answered, ASKED).filter(
      ({ plannedMs }) => plannedMs !== undefined,
    );
    assert.equal(notes.length, timed.length);
    for (const text of notes) assert.match(text, /^order \d+, [\w.]+ is 2501 ms late: /);
    assert.equal(
      late.summary,
      `nothing early, ${timed.length} over 2.5 s late on a busy machine (2501 ms at most)`,
    );
  });
});

describe('the pace of the demo', () => {
  it('lets a worker that was killed come back before the first reminder', () => {
    assert.deepEqual([900, 3_000, 3_001, 18_400].map(intervalFor), [6, 6, 7, 37]);
  });
});

describe('the stories of the demo', () => {
  const played: string[] = [];
  const story = (name: string, difference?: string) => () => {
    played.push(name);
    return Promise.resolve(difference);
  };
  /** A story in which something comes so many milliseconds late. */
  const lateBy = (ms: number) => () => {
    new Lateness((text) => played.push(text)).see('the reminder', ms);
    return Promise.resolve(undefined);
  };

  beforeEach(() => played.splice(0));

  it('play on to the last after a late reminder, which is reported, and end as planned', async () => {
    const busy = lateBy(3_300);
    assert.equal(await playInTurn([busy, story('refunds'), story('your turn')]), undefined);
    assert.match(played[0] ?? '', /^the reminder is 3300 ms late/);
    assert.deepEqual(played.slice(1), ['refunds', 'your turn']);
  });

  it('end at the first difference', async () => {
    const stories = [lateBy(3_300), story('refunds', 'a line is missing'), story('your turn')];
    assert.equal(await playInTurn(stories), 'a line is missing');
    assert.equal(played.includes('your turn'), false);
  });
});

describe('the messages the demo shows', () => {
  it('are one line each, without what follows', () => {
    const shown: string[] = [];
    const take = stackLines((text) => shown.push(text));
    for (const line of ['[email] to anyone, attempt 2/3', '  Reminder (2): Pay?', '  more'])
      take(line);
    take('worker (7) ended by SIGKILL, starting again in 0.5 s');
    assert.deepEqual(shown, [
      '[email] to anyone, attempt 2/3: Reminder (2): Pay?',
      'worker (7) ended by SIGKILL, starting again in 0.5 s',
    ]);
  });
});
