import assert from 'node:assert/strict';
import type { Announcement } from '../../contracts/graph/announcement.js';
import type { Portfolio, PortfolioView } from '../../contracts/portfolio/portfolio.js';
import { isOverdue, type MemberMove } from '../../domain/portfolio/members.js';
import { changePortfolio, newPortfolio } from '../../domain/portfolio/portfolio.js';
import { viewOfPortfolio } from '../../domain/portfolio/view.js';
import { plusSeconds, toMillis } from '../../domain/kernel/time.js';
import { Members } from '../../workflows/portfolio/members.js';
import { granted } from '../domain/samples.js';
import type { Clock } from './clock.js';
import type { ModelIntent } from './intent.js';
import type { Mail } from './mail.js';
import type { Question } from './question.js';
import { Subscription } from './subscription.js';

const LIMITS = { portfolioFieldBytes: 10_000, windowSeconds: 1_000_000 };

/** A portfolio as its workflow keeps it: it counts what its members announce, and has a deadline. */
export class ModelPortfolio {
  readonly members = new Members();
  /** What was told of each member since it joined. */
  readonly told = new Map<string, MemberMove[]>();
  /** Members that joined after the deadline had come. */
  latecomers = new Set<string>();
  /** The deadline that has come. */
  reached: string | undefined;
  portfolio: Portfolio;
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly clock: Clock;
  private readonly mail: Mail;
  private readonly questionOf: (id: string) => Question;

  constructor(clock: Clock, mail: Mail, questionOf: (id: string) => Question) {
    this.clock = clock;
    this.mail = mail;
    this.questionOf = questionOf;
    const identity = {
      id: 'portfolio',
      created_by: 'agent-1',
      owner: 'agent-1',
      created_at: clock.at,
    };
    this.portfolio = granted(newPortfolio({ name: 'portfolio', intents: [] }, identity, LIMITS));
  }

  get view(): PortfolioView {
    return viewOfPortfolio(this.portfolio, this.members.counts);
  }

  join(member: ModelIntent): void {
    const { id } = member;
    if (this.members.has(id)) return;
    if (this.reached !== undefined) this.latecomers.add(id);
    this.told.set(id, []);
    this.note(member.announcement);
    const subscription = new Subscription((announcement) => {
      this.hear(announcement);
    }, false);
    this.subscriptions.set(id, subscription);
    this.mail.post(() => {
      member.observe(subscription);
    });
  }

  leave(member: ModelIntent): void {
    const subscription = this.subscriptions.get(member.id);
    if (!this.members.has(member.id) || subscription === undefined) return;
    this.members.remove(member.id);
    this.latecomers.delete(member.id);
    this.told.delete(member.id);
    this.mail.post(() => {
      member.unobserve(subscription);
    });
  }

  /** The deadline is so many seconds ahead from now on. */
  moveDeadline(seconds: number): void {
    const { clock, portfolio } = this;
    const deadline = plusSeconds(clock.at, seconds);
    const request = { governance_policy: { deadline } };
    const change = granted(changePortfolio(portfolio, request, 'agent-1', clock.at, LIMITS));
    if (portfolio.governance_policy.deadline !== deadline) {
      this.reached = undefined;
      this.latecomers = new Set();
    }
    this.portfolio = change.portfolio;
  }

  /** Its timer, which may come late. */
  fire(): void {
    const deadline = this.portfolio.governance_policy.deadline ?? undefined;
    if (deadline === undefined || deadline === this.reached) return;
    if (toMillis(deadline) > this.clock.now) return;
    this.reached = deadline;
    this.endOverdue();
  }

  private hear(announcement: Announcement): void {
    const { intent_id } = announcement;
    if (!this.members.has(intent_id)) return;
    this.note(announcement);
    this.endOverdue(intent_id);
  }

  private note(announcement: Announcement): void {
    const { moves } = this.members.observe(announcement);
    this.told.get(announcement.intent_id)?.push(...moves);
  }

  private endOverdue(only?: string): void {
    const { reached, clock } = this;
    if (reached === undefined) return;
    const overdue = this.members.suspended((one) => isOverdue(one, reached, clock.now), only);
    for (const { intent_id, suspension_id } of overdue) {
      if (this.latecomers.has(intent_id)) continue;
      assert.ok(suspension_id, 'nobody asks in two calls here');
      this.mail.post(() => {
        this.questionOf(suspension_id).expire(reached);
      });
    }
  }
}
