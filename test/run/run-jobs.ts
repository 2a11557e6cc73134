import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runLog } from '../support/secrets.js';
import type { FileTime } from './file-times.js';
import type { Job } from './lanes.js';
import { NOTES, NoteReader, type Note } from './notes.js';

/** A process that a test forgot may hold a job's streams open for ever. */
const LINGER_MS = 5_000;
/** How often it is looked for what tests have noted. */
const LOOKS_MS = 500;
/** Two more than there are cores, for most jobs mostly wait; more than six would wait for each other. */
const AT_ONCE = Math.min(availableParallelism() + 2, 6);
/** How much of what a job wrote is shown where no test says what is wrong. */
const TAIL_LINES = 40;

/** A test that failed, or a job that failed as a whole. */
export interface Failure {
  readonly job: string;
  /** Of a test; undefined where a job failed as a whole. */
  readonly file?: string | undefined;
  readonly title: string;
  readonly error: string;
}

/** How a job went. */
export interface EndedJob {
  readonly name: string;
  /** How many tests passed in all, and in each file. */
  readonly passed: number;
  readonly passedIn: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  readonly files: readonly FileTime[];
}

/** Is told what jobs do. */
export interface Watcher {
  begun(job: Job): void;
  ran(job: Job, note: Note): void;
  failed(failure: Failure): void;
  ended(job: EndedJob): void;
}

/** What a run of jobs needs. */
export interface RunOptions {
  /** Exists, and takes what tests note. */
  readonly folder: string;
  readonly watcher: Watcher;
  /** Whether what the jobs write is passed on, too. */
  readonly echoes?: boolean;
  /** How many jobs run beside each other, if not as many as the machine can bear. */
  readonly atOnce?: number;
}

/** Runs jobs beside each other; begins them in their order. */
export async function runJobs(
  jobs: readonly Job[],
  options: RunOptions,
): Promise<readonly EndedJob[]> {
  const waiting = [...jobs];
  const ended: EndedJob[] = [];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      options.watcher.begun(job);
      const one = await runJob(job, options);
      ended.push(one);
      options.watcher.ended(one);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce ?? AT_ONCE }, work));
  return ended;
}

/** What is known of a job while it runs. */
interface Course {
  passed: number;
  readonly passedIn: Map<string, number>;
  readonly failures: Failure[];
  /** Undefined until mocha says that it is over. */
  files: readonly FileTime[] | undefined;
  /** Both its streams, as they came. */
  output: string;
}

async function runJob(job: Job, { folder, watcher, echoes }: RunOptions): Promise<EndedJob> {
  const notes = path.join(folder, `${job.name}.notes`);
  const reader = new NoteReader(notes);
  const course: Course = {
    passed: 0,
    passedIn: new Map(),
    failures: [],
    files: undefined,
    output: '',
  };
  const fail = (title: string, error: string, file?: string): void => {
    const failure = { job: job.name, file, title, error };
    course.failures.push(failure);
    watcher.failed(failure);
  };
  const look = async (): Promise<void> => {
    for (const note of await reader.news()) {
      if (note.what === 'passed') {
        course.passed += 1;
        course.passedIn.set(note.file, (course.passedIn.get(note.file) ?? 0) + 1);
      }
      if (note.what === 'failed') fail(note.title, note.error, note.file);
      if (note.what === 'end') course.files = note.files;
      watcher.ran(job, note);
    }
  };
  const child = start(job, notes, course, echoes ?? false);
  const closed = once(child, 'close');
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let end: Awaited<typeof exited> | undefined;
  void exited.then((how) => (end = how));
  while (!end) {
    await Promise.race([exited, pause(LOOKS_MS)]);
    await look();
  }
  await Promise.race([closed, pause(LINGER_MS)]);
  await look();
  const wrong = faultOf(job, course, end);
  if (wrong !== undefined) fail(wrong, course.output.split('\n').slice(-TAIL_LINES).join('\n'));
  const { passed, passedIn, failures, files } = course;
  return { name: job.name, passed, passedIn, failures, files: files ?? [] };
}

/** What is wrong with a job beside its failing tests. */
function faultOf(
  { runsTests }: Job,
  { passed, failures, files }: Course,
  [code, signal]: readonly [number | null, NodeJS.Signals | null],
): string | undefined {
  const how = `ended with ${code ?? signal ?? 'nothing'}`;
  if (!runsTests) return code === 0 ? undefined : how;
  if (!files) return `${how} before its last test`;
  if (passed + failures.length === 0) return `${how} without a test`;
  return code === 0 || failures.length > 0 ? undefined : `${how} without a failing test`;
}

/** Starts a job; what it writes is logged, and searched for secrets when the run is over. */
function start({ name, args, env }: Job, notes: string, course: Course, echoes: boolean) {
  const isInColour = echoes && process.stdout.isTTY && !process.env['NO_COLOR'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...(isInColour && { FORCE_COLOR: '1' }), ...env, [NOTES]: notes },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = runLog(outputOf(name));
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      course.output += text;
      if (echoes) process[stream].write(text);
    });
  }
  return child;
}

/** The log that keeps what a job writes. */
export function outputOf(job: string): string {
  return `${job}.output`;
}
