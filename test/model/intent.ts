import assert from 'node:assert/strict';
import type { Announcement } from '../../contracts/graph/announcement.js';
import type { Intent, IntentStatus } from '../../contracts/intent/intent.js';
import type { FallbackPolicy } from '../../contracts/suspension/retry-policy.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { announcementOf, isHeld, type LatestQuestion } from '../../domain/graph/announcement.js';
import {
  addDependency,
  checkGate,
  dependencyMove,
  forgetDependency,
  movedByDependencies,
  removeDependency,
  takeDependency,
  unsatisfiable,
  type Upstream,
} from '../../domain/graph/dependencies.js';
import {
  changeState,
  changeStatus,
  isClosed,
  newIntent,
  type EventDraft,
  type IntentChange,
} from '../../domain/intent/entity.js';
import {
  beginSuspension,
  checkSuspendable,
  endSuspension,
  type Abandonment,
} from '../../domain/intent/suspension.js';
import { openRecord } from '../../domain/suspension/asking/schedule.js';
import type { Clock } from './clock.js';
import type { Mail } from './mail.js';
import { Question } from './question.js';
import { Subscription } from './subscription.js';

const ACTOR = 'agent-1';
const ROOM = 100_000;

/** An intent as its workflow keeps it: every change is a rule of `domain/`, and is announced. */
export class ModelIntent {
  readonly log: EventDraft[] = [];
  readonly moves: (readonly [IntentStatus, IntentStatus])[] = [];
  readonly questions: Question[] = [];
  readonly subscriptions = new Map<string, Subscription>();
  intent: Intent;
  upstream: Upstream = { known: [], waits: false };
  active: { readonly question: Question; readonly abandoning?: Abandonment } | undefined;
  private heldUpstream = false;
  private holds = 0;
  private asked: LatestQuestion | undefined;
  private readonly observers = new Set<Subscription>();
  private readonly clock: Clock;
  private readonly mail: Mail;

  constructor(id: string, status: 'draft' | 'active', clock: Clock, mail: Mail) {
    this.clock = clock;
    this.mail = mail;
    const identity = { id, created_by: ACTOR, owner: ACTOR, created_at: clock.at };
    this.intent = newIntent({ title: id, status, state: {}, constraints: {} }, identity);
  }

  get id(): string {
    return this.intent.id;
  }

  get status(): IntentStatus {
    return this.intent.status;
  }

  get announcement(): Announcement {
    const { heldUpstream: held_upstream, holds, asked: question } = this;
    const last_sequence = this.log.length;
    return announcementOf(this.intent, { last_sequence, question, held_upstream, holds });
  }

  /** Who comes late is told first what the intent is now. */
  observe(subscription: Subscription): void {
    this.observers.add(subscription);
    this.tell(subscription);
  }

  unobserve(subscription: Subscription): void {
    this.observers.delete(subscription);
  }

  /** Depends on another from now on; the store has found no cycle. */
  depend(other: ModelIntent): void {
    const change = addDependency(this.intent, other.id, ACTOR, this.clock.at, 10);
    if (!change.ok) return;
    const subscription = new Subscription((announcement) => {
      this.hear(announcement);
    }, true);
    this.subscriptions.set(other.id, subscription);
    this.mail.post(() => {
      other.observe(subscription);
    });
    this.commit(change.value);
  }

  release(other: ModelIntent): void {
    const change = removeDependency(this.intent, other.id, ACTOR, this.clock.at);
    if (!change.ok) return;
    this.upstream = forgetDependency(this.upstream, change.value.intent.depends_on, other.id);
    const subscription = this.subscriptions.get(other.id);
    this.subscriptions.delete(other.id);
    if (subscription) {
      subscription.closed = true;
      this.mail.post(() => {
        other.unobserve(subscription);
      });
    }
    this.commit(change.value);
  }

  suspend(id: string, fallback_policy: FallbackPolicy, timeout_seconds?: number): void {
    const draft = {
      question: 'Go on?',
      response_type: 'confirm' as const,
      fallback_policy,
      ...(timeout_seconds !== undefined && { timeout_seconds }),
    };
    if (!checkSuspendable(this.intent, draft, ROOM).ok) return;
    const opened = openRecord(draft, id, this.clock.at);
    const question = new Question(this.id, opened, this.clock, (record) => {
      this.mail.post(() => {
        this.takeReport(record);
      });
    });
    this.questions.push(question);
    this.active = { question };
    this.asked = { suspension_id: id, attempt: 1 };
    this.commit(beginSuspension(this.intent, opened.record, opened.schedule, ACTOR));
  }

  /** A status write; abandoning a suspended intent withdraws its question first. */
  write(status: IntentStatus): void {
    const request = { status, reason: 'requested' };
    const change = changeStatus(this.intent, request, ACTOR, this.clock.at);
    const gate = checkGate(this.intent, status, this.heldUpstream, this.upstream);
    if (!change.ok || !gate.ok || this.active?.abandoning) return;
    const { active } = this;
    if (active === undefined) this.commit(change.value);
    else {
      assert.equal(status, 'abandoned');
      this.active = {
        ...active,
        abandoning: { actor: ACTOR, principal: ACTOR, reason: 'requested' },
      };
      this.mail.post(() => {
        active.question.withdraw('intent');
      });
    }
  }

  patch(value: number): void {
    const patches = [{ op: 'set' as const, path: '/note', value }];
    const change = changeState(this.intent, patches, ACTOR, this.clock.at, ROOM);
    if (change.ok) this.commit(change.value);
  }

  private takeReport(record: SettledRecord): void {
    if (this.active?.question.id !== record.id) return;
    const { active } = this;
    this.active = undefined;
    this.commit(endSuspension(this.intent, record, 1, this.clock.at, active));
  }

  private hear(announcement: Announcement): void {
    if (isClosed(this.status)) return;
    const { intent_id, status } = announcement;
    const before = this.upstream.known.find((one) => one.intent_id === intent_id);
    const upstream = takeDependency(this.upstream, this.intent.depends_on, announcement);
    const isNews = upstream !== this.upstream && before?.status !== status;
    this.upstream = upstream;
    if (isNews && status === 'abandoned') this.log.push(unsatisfiable(announcement));
    this.followDependencies();
  }

  private followDependencies(): void {
    const move = dependencyMove(this.status, this.heldUpstream, this.upstream.waits);
    if (move === undefined) return;
    this.heldUpstream = move === 'block';
    this.commit(movedByDependencies(this.intent, move, this.clock.at));
  }

  private commit({ intent, events }: IntentChange): void {
    const from = this.status;
    const was = isHeld(from, this.heldUpstream);
    this.heldUpstream &&= intent.status === 'blocked';
    if (!was && isHeld(intent.status, this.heldUpstream)) this.holds += 1;
    if (from !== intent.status) this.moves.push([from, intent.status]);
    this.intent = intent;
    this.log.push(...events);
    for (const subscription of this.observers) this.tell(subscription);
    this.followDependencies();
  }

  private tell(subscription: Subscription): void {
    const { announcement } = this;
    const letter = subscription.letter(announcement);
    this.mail.post(letter.deliver, letter.isReady);
  }
}
