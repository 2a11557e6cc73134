import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import { incompleteOf, takeDependency } from '../../../domain/graph/dependencies.js';
import { NOTHING, moveOf, says } from './dependency-samples.js';

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
