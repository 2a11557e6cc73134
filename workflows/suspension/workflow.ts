import type { SettledRecord } from '../../contracts/suspension.js';
import { judgeCancel } from '../../domain/suspension/state.js';
import { now } from '../engine/clock.js';
import { run } from '../engine/run.js';
import type { SuspensionRun } from './carried.js';
import { registerHandlers } from './handlers.js';
import { Question } from './question.js';

/**
 * A question that waits for its one answer: it reminds and escalates by its schedule, expires at its
 * deadline, reports to its subject, and returns the settled record (RFC-0025, RFC-0026 §4).
 */
export async function suspension(input: SuspensionRun): Promise<SettledRecord> {
  const { settled } = await run(input, {
    begin() {
      const question = new Question(input);
      registerHandlers(question);
      return question;
    },
    cancel: withdraw,
    finish: (question) => question.finish(),
  });
  return settled as SettledRecord;
}

/** A cancellation through Temporal itself is a withdrawal by an administrator. */
function withdraw(question: Question): void {
  const reason = 'cancelled through Temporal';
  const cancel = { cancelled_by: 'temporal', settled_by: 'admin', reason } as const;
  const ruling = judgeCancel(question.state, cancel, now());
  if (ruling.ok)
    question.settle(ruling.value.state, 'cancelled', { cancelled_by: 'temporal', reason });
}
