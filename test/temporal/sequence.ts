import { setImmediate as turn } from 'node:timers/promises';
import type { Attempt } from './activities.js';

type Step = () => void | Promise<void>;

/** So many turns of the event loop an activity gets to end in before others go on. */
const TURNS = 30;
/** The same for one that has shown that it waits. */
const TURNS_OF_WAITING = 3;

/** Lets one thing happen after the other: steps that follow from each other, activities, and what is asked for from outside. */
export abstract class Sequence {
  private readonly steps: Step[] = [];
  private readonly calls: Step[] = [];
  private readonly attempts = new Set<Attempt>();
  private going = false;
  private broken: Error | undefined;

  /** Called before each step, and each call. */
  protected abstract before(): void;

  /** Whether an activity is under way, which may lead to more. */
  protected get hasActivities(): boolean {
    return this.attempts.size > 0;
  }

  /** Does something after all that was ordered before. */
  order(step: Step): void {
    this.steps.push(step);
    void this.go();
  }

  /** Does something once nothing is under way. What is asked for at the same time comes together, before what follows from it. */
  call<T>(work: () => T | Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.calls.push(async () => {
        const checked = () => {
          this.check();
          return work();
        };
        await Promise.resolve().then(checked).then(resolve, reject);
      });
    });
    void this.go();
    return done;
  }

  /** Follows a try of an activity until it is over. */
  watch<T>(attempt: Attempt, ended: Promise<T>, then: (end: T) => void): void {
    this.attempts.add(attempt);
    void ended.then((end) => {
      this.attempts.delete(attempt);
      this.order(() => then(end));
    });
  }

  /** Throws what went wrong in a task: it would be tried again for ever. */
  check(): void {
    if (this.broken !== undefined) throw this.broken;
  }

  private async go(): Promise<void> {
    if (this.going) return;
    this.going = true;
    try {
      for (;;) {
        await this.settle();
        const calls = this.calls.splice(0);
        if (calls.length === 0) break;
        for (const call of calls) {
          this.before();
          await call();
        }
      }
    } finally {
      this.going = false;
    }
  }

  /** Does all that is to be done, and what follows from it. */
  private async settle(): Promise<void> {
    for (;;) {
      for (let step = this.steps.shift(); step; step = this.steps.shift()) {
        try {
          this.before();
          await step();
        } catch (error) {
          this.broken ??= error instanceof Error ? error : new Error(String(error));
        }
      }
      if (!(await this.activitiesEnd())) return;
    }
  }

  /** Gives the activities that are under way turns to end in; false if none of them leads to anything. */
  private async activitiesEnd(): Promise<boolean> {
    const patience = [...this.attempts].some(({ waits }) => !waits) ? TURNS : TURNS_OF_WAITING;
    for (let turns = 0; this.attempts.size > 0 && turns < patience; turns += 1) {
      await turn();
      if (this.steps.length > 0) return true;
    }
    for (const attempt of this.attempts) attempt.waits = true;
    return this.steps.length > 0;
  }
}
