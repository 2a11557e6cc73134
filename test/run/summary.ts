import { slowest } from './file-times.js';
import { textOf } from './progress.js';
import type { Outcome } from './second-look.js';

/** What is said at the end of a run. */
export interface Summary {
  readonly ok: boolean;
  readonly text: string;
}

/** What else a summary needs. */
export interface RunEnd {
  readonly seconds: number;
  /** What is wrong with the logs. */
  readonly complaints: readonly string[];
  /** Holds all output; kept if something failed. */
  readonly logs: string;
}

/**
 * All failures once more, what passed at the second look with its first error, the slowest files, and last the sum, which `.ci/common` reads: a job or a log that is not in order
 * counts as a test that failed.
 */
export function summaryOf({ ended: jobs, flaky, later }: Outcome, end: RunEnd): Summary {
  const passed = jobs.reduce((sum, job) => sum + job.passed, 0);
  const failures = [
    ...jobs.flatMap((job) => job.failures.map(textOf)),
    ...end.complaints.map((complaint) => `secrets: ${complaint}\n`),
  ];
  const files = jobs.flatMap((job) => job.files);
  const parts: string[] = [];
  if (failures.length > 0) {
    const list = failures.map((failure, index) => `  ${index + 1}) ${failure}`);
    parts.push(`  ${failures.length} failing\n\n${list.join('\n')}`);
    parts.push(`The whole output of each job is in ${end.logs}\n`);
  }
  if (flaky.length > 0) {
    parts.push(
      `Passed at the second look:\n\n${flaky.map((one) => `  - ${textOf(one)}`).join('\n')}`,
    );
  }
  if (later > 0) parts.push(`${later} failing files are looked at again later.\n`);
  if (files.length > 1) parts.push(slowest(files));
  const counts = `${passed} tests passed, ${failures.length} failed`;
  parts.push(`All in all: ${counts}, in ${end.seconds.toFixed(0)} s\n`);
  return { ok: failures.length === 0, text: `\n${parts.join('\n')}` };
}
