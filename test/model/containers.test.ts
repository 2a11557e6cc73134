import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commands, shapes, type Command, type Shape } from './commands.js';
import { checkAtRest } from './rest-rules.js';
import { StepRules } from './step-rules.js';
import { Whole } from './whole.js';

/** Plays a sequence; a rule is looked at after every step, and all of them whenever nothing is under way. */
function play(shape: Shape, sequence: readonly Command[], seen: Map<string, number>): void {
  const whole: Whole = new Whole(shape, () => {
    steps.check();
  });
  const steps = new StepRules(whole);
  for (const command of [...sequence, { does: 'rest', pick: 1 } as const]) {
    whole.run(command);
    steps.check();
    if (command.does === 'rest') checkAtRest(whole, steps);
  }
  for (const [what, times] of steps.seen) seen.set(what, (seen.get(what) ?? 0) + times);
}

/** Without these a sequence would show little; how rarely each may come in all. */
const REACHED: Readonly<Record<string, number>> = {
  'intent.resumed': 100,
  'intent.suspension_expired timeout': 100,
  'intent.suspension_expired portfolio_deadline': 10,
  'intent.suspension_cancelled': 50,
  'status_changed upstream_suspended': 100,
  'status_changed dependencies_completed': 10,
  'dependency_unsatisfiable requested': 50,
  'task.blocked': 100,
  'task.unblocked': 100,
  'task.completed': 50,
  'task.failed': 50,
  'task.retrying': 10,
};

describe('containers under random interleavings', () => {
  it('keep every rule, whatever happens in whatever order [R26-05, R26-10, R26-18, AM-35, TM-07]', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(shapes, commands, (shape, sequence) => {
        play(shape, sequence, seen);
      }),
      { numRuns: 2_000 },
    );
    const rare = Object.entries(REACHED).filter(([what, least]) => (seen.get(what) ?? 0) < least);
    assert.deepEqual(rare, []);
  });
});
