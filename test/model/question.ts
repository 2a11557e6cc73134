import assert from 'node:assert/strict';
import type { Schedule } from '../../contracts/suspension/retry-policy.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { toMillis } from '../../domain/kernel/time.js';
import { arrivalOf } from '../../domain/suspension/record/message-form.js';
import {
  expireForDeadline,
  isSettled,
  judgeCancel,
  settleDue,
  type SuspensionState,
} from '../../domain/suspension/record/state.js';
import { judgeAnswer } from '../../domain/suspension/answering/answer.js';
import type { Clock } from './clock.js';
import { caller } from '../support/callers.js';

/** A suspension: the only judge of its outcome. */
export class Question {
  /** Keys of the answers that were accepted, a repetition not counted. */
  readonly counted: string[] = [];
  state: SuspensionState;
  private readonly schedule: Schedule;
  private readonly clock: Clock;
  private readonly report: (record: SettledRecord) => void;

  constructor(
    intent_id: string,
    { record, schedule }: { record: SuspensionRecord; schedule: Schedule },
    clock: Clock,
    report: (record: SettledRecord) => void,
  ) {
    this.state = { intent_id, record, attempt: 1 };
    this.schedule = schedule;
    this.clock = clock;
    this.report = report;
  }

  get id(): string {
    return this.state.record.id;
  }

  /** Its timer, which may come late. */
  fire(): void {
    this.settle(settleDue(this.state, this.schedule, this.clock.now).state);
  }

  answer(value: string, key: string): void {
    const person = {
      responded_by: 'alice@example.com',
      by: caller('alice@example.com', 'operator'),
    };
    const answer = { value, ...person, answer: { key, body_hash: value } };
    const ruling = judgeAnswer(this.due(this.clock.now), answer, this.clock.now);
    assert.equal(ruling.ok && ruling.value.repeated, this.counted.includes(key), 'a repetition');
    if (!ruling.ok || ruling.value.repeated) return;
    const { expires_at } = this.state.record;
    assert.ok(expires_at === undefined || this.clock.now < toMillis(expires_at), 'answered late');
    this.counted.push(key);
    this.settle(ruling.value.state);
  }

  withdraw(settled_by: 'agent' | 'intent'): void {
    const cancel = { cancelled_by: 'agent-1', settled_by };
    const ruling = judgeCancel(this.due(this.clock.now), cancel, this.clock.now);
    if (ruling.ok) this.settle(ruling.value.state);
  }

  /** A portfolio says that its deadline has come. */
  expire(deadline: string): void {
    const at = arrivalOf(deadline, this.state.record.suspended_at, this.clock.now);
    const state = expireForDeadline(this.due(at), at);
    if (state === undefined) return;
    assert.ok(toMillis(state.record.suspended_at) <= toMillis(deadline), 'asked afterwards');
    this.settle(state);
  }

  private due(at: number): SuspensionState {
    return settleDue(this.state, this.schedule, at, true).state;
  }

  private settle(state: SuspensionState): void {
    const wasOpen = !isSettled(this.state.record);
    this.state = state;
    if (wasOpen && isSettled(state.record)) this.report(state.record);
  }
}
