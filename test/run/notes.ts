import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import type { Runner, Suite, Test } from 'mocha';
import { stopwatch, type FileTime } from './file-times.js';

/** Names the file in which a mocha notes what its tests do, for who started it. */
export const NOTES = 'HOLDPOINT_TEST_NOTES';

/** What a mocha notes as it happens: one JSON object a line. */
export type Note =
  | { readonly what: 'file'; readonly file: string }
  | { readonly what: 'passed'; readonly file: string }
  /** Without a file where it belongs to none: a hook of the whole run. */
  | {
      readonly what: 'failed';
      readonly file?: string;
      readonly title: string;
      readonly error: string;
    }
  /** The last one; it is missing where the process died. */
  | { readonly what: 'end'; readonly files: readonly FileTime[] };

/** Notes what the tests of this process do, where somebody asks for it. */
export function noteTests(runner: Runner): void {
  const target = process.env[NOTES];
  if (target === undefined) return;
  // What tests start is not this run: another mocha, for one.
  Reflect.deleteProperty(process.env, NOTES);
  const note = (one: Note): void => appendFileSync(target, `${JSON.stringify(one)}\n`);
  const watch = stopwatch();
  runner.on('suite', (suite: Suite) => {
    if (suite.parent?.root !== true) return;
    const file = path.relative('.', suite.file ?? '');
    watch.turnTo(file);
    note({ what: 'file', file });
  });
  const fileOf = ({ file }: Test): string => path.relative('.', file ?? '');
  runner.on('pass', (test: Test) => note({ what: 'passed', file: fileOf(test) }));
  runner.on('fail', (test: Test, error: unknown) => {
    const [file, title] = [fileOf(test), test.titlePath().join(' › ')];
    note({ what: 'failed', ...(file !== '' && { file }), title, error: textOf(error) });
  });
  runner.once('end', () => note({ what: 'end', files: watch.stop() }));
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}

/** Reads what a mocha notes, while it goes on. */
export class NoteReader {
  private readonly file: string;
  private seen = 0;

  /** @param file - is made, for a mocha that notes nothing */
  constructor(file: string) {
    this.file = file;
    writeFileSync(file, '');
  }

  /** What has been noted since the last time; half a line waits for its end. */
  async news(): Promise<readonly Note[]> {
    const lines = (await readFile(this.file, 'utf8')).split('\n').slice(0, -1);
    const fresh = lines.slice(this.seen);
    this.seen = lines.length;
    return fresh.map((line) => JSON.parse(line) as Note);
  }
}
