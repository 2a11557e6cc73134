import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A requirement: what it asks, and the file or folder in which it is decided. */
export interface Requirement {
  readonly id: string;
  readonly asks: string;
  readonly decidedIn: string;
}

/** All ids that a test title may name. */
export interface Requirements {
  /** What is built, by specification and subject. */
  readonly documents: readonly {
    readonly title: string;
    readonly parts: readonly {
      readonly title: string;
      readonly requirements: readonly Requirement[];
    }[];
  }[];
  /** What no test proves yet, by id. */
  readonly later: Readonly<Record<string, string>>;
  /** Ids that have no text. */
  readonly others: readonly string[];
}

/** A test as mocha names it; the file is a path from the root of the project. */
export interface TitledTest {
  readonly fullTitle: string;
  readonly file: string;
}

/** Reads the list of requirements. */
export async function readRequirements(): Promise<Requirements> {
  const file = path.join(import.meta.dirname, 'requirements.json');
  return JSON.parse(await readFile(file, 'utf8')) as Requirements;
}

/** Lists all requirements that are built. */
export function builtIn({ documents }: Requirements): readonly Requirement[] {
  return documents.flatMap(({ parts }) => parts.flatMap(({ requirements }) => requirements));
}

/** Maps each known id to what it asks, as far as a text is known. */
export function textsOf(requirements: Requirements): ReadonlyMap<string, string> {
  const built = builtIn(requirements).map(({ id, asks }) => [id, asks] as const);
  const later = Object.entries(requirements.later);
  return new Map([...built, ...later, ...requirements.others.map((id) => [id, ''] as const)]);
}

/** Lists the tests that mocha would run, table-driven ones included, without running them. */
export async function readTests(): Promise<readonly TitledTest[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-spec-'));
  const output = path.join(folder, 'titles.json');
  const mocha = path.join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const reporting = ['--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`];
  try {
    await run(process.execPath, [mocha, ...reporting, 'test/**/*.test.ts'], { cwd: ROOT });
    const report = JSON.parse(await readFile(output, 'utf8')) as {
      readonly tests: readonly { readonly fullTitle: string; readonly file: string }[];
    };
    return report.tests.map(({ fullTitle, file }) => ({
      fullTitle,
      file: path.relative(ROOT, file).split(path.sep).join('/'),
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
