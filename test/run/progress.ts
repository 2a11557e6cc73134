import type { Job } from './lanes.js';
import type { Note } from './notes.js';
import type { EndedJob, Failure, Watcher } from './run-jobs.js';

/** It is said so often where the running jobs are. */
const SAYS_EVERY_MS = 20_000;

/** Where progress is shown. */
export interface Screen {
  readonly write: (text: string) => void;
  /** Milliseconds from any start. */
  readonly now: () => number;
}

interface Running {
  readonly began: number;
  /** How many files it has; undefined if that is not known. */
  readonly files: number | undefined;
  begun: number;
  file: string;
  passed: number;
  failed: number;
}

/** Shows how jobs go on: a line as each begins and ends, each failure at once, and now and then where all of them are. */
export class Progress implements Watcher {
  private readonly screen: Screen;
  private readonly began: number;
  private readonly running = new Map<string, Running>();
  private said: number;

  constructor(screen: Screen) {
    this.screen = screen;
    this.began = screen.now();
    this.said = this.began;
  }

  begun({ name, args }: Job): void {
    const files = args.filter((arg) => /\.test\.[jt]s$/.test(arg)).length || undefined;
    const began = this.screen.now();
    this.running.set(name, { began, files, begun: 0, file: '', passed: 0, failed: 0 });
    this.screen.write(`begun: ${name}${files === undefined ? '' : `, ${files} files`}\n`);
  }

  ran({ name }: Job, note: Note): void {
    const job = this.running.get(name);
    if (!job) return;
    if (note.what === 'passed') job.passed += 1;
    if (note.what === 'file') {
      // A file may have several suites, one after the other.
      if (note.file !== job.file) job.begun += 1;
      job.file = note.file;
    }
  }

  failed(failure: Failure): void {
    const job = this.running.get(failure.job);
    if (job) job.failed += 1;
    this.screen.write(`FAILED: ${textOf(failure)}\n`);
  }

  ended({ name, passed, failures }: EndedJob): void {
    const seconds = this.screen.now() - (this.running.get(name)?.began ?? NaN);
    this.running.delete(name);
    const counts = `${passed} passed, ${failures.length} failed`;
    this.screen.write(`ended: ${name}, ${counts}, after ${(seconds / 1_000).toFixed(0)} s\n`);
  }

  /** Is called every second or so, and shows now and then where the jobs are. */
  tick(): void {
    if (this.screen.now() - this.said < SAYS_EVERY_MS || this.running.size === 0) return;
    this.said = this.screen.now();
    this.screen.write(`${this.clock()}  ${this.places().join(' | ')}\n`);
  }

  private clock(): string {
    const seconds = Math.floor((this.screen.now() - this.began) / 1_000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  private places(): string[] {
    return [...this.running].map(([name, { files, begun, file, passed, failed }]) => {
      if (file === '') return name;
      const place = `${name} ${begun}${files === undefined ? '' : `/${files}`} ${file}`;
      return `${place}, ${passed} passed${failed > 0 ? `, ${failed} FAILED` : ''}`;
    });
  }
}

/** A failure as it is shown: its job and title, and the error below. */
export function textOf({ job, title, error }: Failure): string {
  const lines = error.split('\n').map((line) => (line === '' ? '' : `     ${line}`));
  return `${job}: ${title}\n${lines.join('\n')}\n`;
}
