import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import {
  addDependency,
  checkGate,
  forgetDependency,
  incompleteOf,
  movedByDependencies,
  removeDependency,
  takeDependency,
  unsatisfiable,
} from '../../../domain/graph/dependencies.js';
import { anIntent } from '../../store/rows.js';
import { after, AT, moveOf, NOTHING, says } from './dependency-samples.js';

describe('dependencies', () => {
  it('block an active dependent when they suspend, at whatever depth [R26-08]', () => {
    const suspended = after(says('a', 1, 'active'), says('a', 2, 'suspended_awaiting_input', 1));
    assert.equal(moveOf('active', false, suspended), 'block');
    const blocked = after({ ...says('b', 2, 'blocked', 1), held: true });
    assert.equal(moveOf('active', false, blocked), 'block');
  });

  it('leave an active dependent alone while they are merely incomplete [TL-05]', () => {
    assert.equal(moveOf('active', false, after(says('a', 1, 'active'))), undefined);
    const still = after(says('a', 1, 'active', 1), says('a', 2, 'active', 1));
    assert.equal(moveOf('active', false, still), undefined);
  });

  it('block an active dependent if they were held between two announcements [R26-08]', () => {
    const missed = after(says('a', 1, 'active', 1), says('a', 4, 'active', 2));
    assert.equal(moveOf('active', false, missed), 'block');
  });

  it('unblock on completion, not on resume, nor when one suspends again [R26-09, R26-10]', () => {
    const story = [
      says('a', 1, 'active'),
      says('a', 2, 'suspended_awaiting_input', 1),
      says('a', 3, 'active', 1),
      says('a', 4, 'suspended_awaiting_input', 2),
      says('a', 5, 'active', 2),
      says('a', 6, 'completed', 2),
    ];
    const moves = story.map((_, index) =>
      moveOf('blocked', true, after(...story.slice(0, index + 1))),
    );
    assert.deepEqual(moves.slice(1), [undefined, undefined, undefined, undefined, 'unblock']);
  });

  it('unblock when every one is completed [R26-11]', () => {
    const one = after(
      says('a', 2, 'suspended_awaiting_input', 1),
      says('b', 1, 'active'),
      says('a', 3, 'completed', 1),
    );
    assert.equal(moveOf('blocked', true, one), undefined);
    const both = takeDependency(one, ['a', 'b'], says('b', 2, 'completed'));
    assert.equal(moveOf('blocked', true, both), 'unblock');
  });

  it('leave drafts, suspended ones and those blocked by hand alone [AM-35]', () => {
    const held = after(says('a', 2, 'suspended_awaiting_input', 1));
    for (const status of ['draft', 'suspended_awaiting_input', 'blocked', 'abandoned'] as const) {
      assert.equal(moveOf(status, false, held), undefined);
    }
    const completed = after(
      says('a', 2, 'suspended_awaiting_input', 1),
      says('a', 3, 'completed', 1),
    );
    assert.equal(moveOf('blocked', false, completed), undefined);
    for (const status of ['draft', 'suspended_awaiting_input', 'abandoned'] as const) {
      assert.equal(moveOf(status, true, completed), undefined);
    }
  });

  it('are not satisfied by an abandoned one, which is said once [AM-35]', () => {
    const gone = after(says('a', 2, 'suspended_awaiting_input', 1), says('a', 3, 'abandoned', 1));
    assert.equal(moveOf('blocked', true, gone), undefined);
    const said = unsatisfiable({ ...says('a', 3, 'abandoned'), abandonment_reason: 'timeout' });
    assert.equal(said.event_type, 'dependency_unsatisfiable');
    assert.deepEqual(said.payload, { dependency_id: 'a', reason: 'timeout' });
    assert.deepEqual(unsatisfiable(says('a', 3, 'abandoned')).payload, { dependency_id: 'a' });
  });

  for (const [move, status, reason] of [
    ['block', 'blocked', 'upstream_suspended'],
    ['unblock', 'active', 'dependencies_completed'],
  ] as const) {
    it(`${move} a dependent by one version and one event [R26-08, R26-09]`, () => {
      const intent = anIntent({ version: 4 });
      const { intent: moved, events } = movedByDependencies(intent, move, AT);
      assert.deepEqual(moved, { ...intent, status, version: 5, updated_at: AT });
      assert.deepEqual(
        events.map(({ event_type, payload }) => [event_type, payload]),
        [['status_changed', { status, version: 5, reason }]],
      );
    });
  }

  it('no longer count once they are removed', () => {
    const upstream = after(says('a', 2, 'suspended_awaiting_input', 1), says('b', 1, 'completed'));
    assert.equal(moveOf('blocked', true, forgetDependency(upstream, ['b'], 'a')), 'unblock');
    assert.equal(moveOf('blocked', true, forgetDependency(upstream, ['a'], 'b')), undefined);
  });

  it('begin anew if they are added again after they were removed', () => {
    const upstream = after(says('a', 5, 'completed'), says('b', 1, 'active'));
    const without = forgetDependency(upstream, ['b'], 'a');
    const again = takeDependency(without, ['a', 'b'], says('a', 5, 'completed'));
    assert.deepEqual(incompleteOf(['a', 'b'], without.known), ['a', 'b']);
    assert.deepEqual(incompleteOf(['a', 'b'], again.known), ['b']);
  });

  it('gate completion, and unblocking by hand [R26-07]', () => {
    const intent = anIntent({ depends_on: ['a', 'unheard'] });
    const upstream = after(says('a', 2, 'suspended_awaiting_input', 1));
    const ruling = checkGate(intent, 'completed', false, upstream);
    assert.equal(ruling.ok, false);
    assert.equal(ruling.refusal.code, 'dependencies_incomplete');
    assert.deepEqual(
      [ruling.refusal.field, ruling.refusal.state],
      ['status', { intent_status: intent.status, incomplete: ['a', 'unheard'] }],
    );
    assert.equal(checkGate(intent, 'active', true, upstream).ok, false);
    assert.equal(checkGate(intent, 'active', false, upstream).ok, true);
    assert.equal(checkGate(intent, 'abandoned', true, upstream).ok, true);
    const done = after(says('a', 3, 'completed'), says('unheard', 2, 'completed'));
    assert.deepEqual(checkGate(intent, 'completed', false, done), { ok: true, value: true });
  });

  it('are added and removed by one version and one event each', () => {
    const intent = anIntent({ version: 4 });
    const added = addDependency(intent, 'a', 'agent-1', AT, 2);
    assert.equal(added.ok, true);
    assert.deepEqual(added.value.intent.depends_on, ['a']);
    assert.equal(added.value.intent.version, 5);
    assert.deepEqual(
      added.value.events.map(({ event_type, payload }) => [event_type, payload]),
      [['dependency_added', { dependency_id: 'a', version: 5 }]],
    );
    const removed = removeDependency(added.value.intent, 'a', 'agent-1', AT);
    assert.equal(removed.ok, true);
    assert.deepEqual(removed.value.intent.depends_on, []);
    assert.equal(removed.value.events[0]?.event_type, 'dependency_removed');
    assert.equal(removed.value.intent.updated_at, AT);
    const two = anIntent({ depends_on: ['a', 'b'] });
    const left = removeDependency(two, 'a', 'agent-1', AT);
    assert.deepEqual(left.ok && left.value.intent.depends_on, ['b']);
  });

  it('refuse itself, a repeat, one too many, one that is not there, and a closed dependent', () => {
    const intent = anIntent({ depends_on: ['a'] });
    const add = (id: string, to = intent) => addDependency(to, id, 'agent-1', AT, 1);
    const codes = [
      add(intent.id),
      add('a'),
      add('b'),
      add('b', anIntent({ status: 'completed' })),
      removeDependency(intent, 'b', 'agent-1', AT),
      removeDependency(anIntent({ status: 'abandoned', depends_on: ['b'] }), 'b', 'agent-1', AT),
    ].map((ruling) => (ruling.ok ? ['granted'] : [ruling.refusal.code, ruling.refusal.field]));
    assert.deepEqual(codes, [
      ['dependency_cycle', 'dependency_id'],
      ['dependency_exists', 'dependency_id'],
      ['too_many_dependencies', 'dependency_id'],
      ['intent_closed', undefined],
      ['dependency_not_found', undefined],
      ['intent_closed', undefined],
    ]);
    const cycle = add(intent.id);
    assert.deepEqual(!cycle.ok && cycle.refusal.state, { path: [intent.id, intent.id] });
  });

  it('say nothing new by what is repeated, or comes late [TM-07, R26-10]', () => {
    const suspended = says('a', 2, 'suspended_awaiting_input', 1);
    const completed = says('a', 3, 'completed', 1);
    const done = after(suspended, completed);
    for (const one of [says('a', 1, 'active'), suspended, completed]) {
      assert.equal(takeDependency(done, ['a'], one), done);
    }
  });
});

/** All announcements in the life of an intent that others depend on. */
const upstreamLife = fc
  .array(fc.constantFrom('suspend', 'resume', 'complete', 'abandon', 'patch'), { maxLength: 8 })
  .map((steps) => (id: string) => {
    const story = [says(id, 1, 'active')];
    let [status, holds]: [IntentStatus, number] = ['active', 0];
    for (const step of steps) {
      if (status === 'completed' || status === 'abandoned') break;
      if (step === 'suspend' && status === 'active') {
        status = 'suspended_awaiting_input';
        holds += 1;
      } else if (step === 'resume') status = 'active';
      else if (step === 'complete' && status === 'active') status = 'completed';
      else if (step === 'abandon') status = 'abandoned';
      story.push(says(id, story.length + 1, status, holds));
    }
    return story;
  });

/** A dependent that follows the rule, and what happened to it. */
class Dependent {
  status: IntentStatus = 'active';
  blockedByRule = false;
  upstream = NOTHING;
  readonly moves: string[] = [];

  private readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }

  hear(announcement: Announcement): void {
    this.upstream = takeDependency(this.upstream, this.ids, announcement);
    this.follow();
  }

  become(status: IntentStatus): void {
    this.status = status;
    this.blockedByRule &&= status === 'blocked';
    this.follow();
  }

  private follow(): void {
    const move = moveOf(this.status, this.blockedByRule, this.upstream);
    if (move === undefined) return;
    this.moves.push(move);
    this.status = move === 'block' ? 'blocked' : 'active';
    this.blockedByRule = move === 'block';
  }
}

const IDS = ['a', 'b', 'c'];
const lives = fc.tuple(upstreamLife, upstreamLife, upstreamLife);

/** How announcements travel: which one is next, and how far a later one may overtake. */
const mail = fc.record({ order: fc.infiniteStream(fc.nat()), reach: fc.constantFrom(1, 3, 99) });
type Mail = typeof mail extends fc.Arbitrary<infer T> ? T : never;

/** Yields announcements as they arrive: the first answers `observe`, the others come twice, early or late. */
function* arrivals(stories: readonly Announcement[][], { order, reach }: Mail) {
  const queues = stories.map(([first, ...later]) => ({
    answer: first === undefined ? [] : [first],
    later: later.flatMap((one) => [one, one]),
  }));
  for (const pick of order) {
    const waiting = queues.filter(({ answer, later }) => answer.length + later.length > 0);
    const { answer, later } = waiting[pick % waiting.length] ?? {};
    if (!answer || !later) return;
    const place = Math.floor(pick / IDS.length) % Math.min(reach, later.length);
    yield* answer.length > 0 ? answer.splice(0) : later.splice(place, 1);
  }
}

/** Returns the newest announcement of each intent, whichever came last. */
function newestOf(heard: readonly Announcement[]): readonly Announcement[] {
  return heard.filter((one) =>
    heard.every(({ intent_id, version }) => intent_id !== one.intent_id || version <= one.version),
  );
}

describe('dependencies over any deliveries', () => {
  it('end the same whichever announcements became one, and however they arrive [TM-07]', () => {
    const skipped = fc.infiniteStream(fc.boolean());
    fc.assert(
      fc.property(lives, mail, skipped, (life, sent, skip) => {
        const stories = life.map((live, index) => live(IDS[index] ?? ''));
        const whole = new Dependent(IDS);
        for (const story of stories) for (const one of story) whole.hear(one);
        const partly = new Dependent(IDS);
        const left = stories.map((story) =>
          // The first one answers `observe`, and the last one always arrives.
          story.filter((_, i) => i === 0 || i === story.length - 1 || skip.next().value !== true),
        );
        for (const heard of arrivals(left, sent)) partly.hear(heard);
        assert.deepEqual(
          [partly.status, partly.upstream.waits],
          [whole.status, whole.upstream.waits],
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('never leave a dependent active beside one that is held, nor let it flicker [R26-10]', () => {
    const own = fc.array(
      fc.constantFrom<IntentStatus>('active', 'suspended_awaiting_input', 'draft'),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(lives, own, mail, (life, wishes, sent) => {
        const dependent = new Dependent(IDS);
        const heard: Announcement[] = [];
        const check = (): void => {
          const newest = newestOf(heard);
          const incomplete = incompleteOf(IDS, newest);
          const held = newest.some((one) => one.held);
          assert.ok(!(held && dependent.status === 'active'));
          if (dependent.status === 'blocked') assert.notDeepEqual(incomplete, []);
          if (dependent.moves.includes('unblock')) assert.deepEqual(incomplete, []);
        };
        const stories = life.map((live, index) => live(IDS[index] ?? ''));
        for (const one of arrivals(stories, sent)) {
          heard.push(one);
          dependent.hear(one);
          check();
          const wish = wishes[(heard.length - 1) / 2];
          if (wish !== undefined && dependent.status !== 'blocked') dependent.become(wish);
          check();
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
