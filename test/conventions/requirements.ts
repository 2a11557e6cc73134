import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { testFiles } from '../run/lanes.js';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A requirement: what it asks, and the file or folder in which it is decided. */
export interface Requirement {
  readonly id: string;
  readonly asks: string;
  readonly decidedIn: string;
}

/** Texts by the ids that a test title or a comment may name, and these by where they stand. */
export interface Requirements {
  /** What is built, by specification and subject; each text begins with the place where it is decided, and a colon. */
  readonly documents: Readonly<Record<string, Readonly<Record<string, Texts>>>>;
  /** Points that are no requirements, by family: what was open and how it was decided, or what something became on Temporal. */
  readonly notes: Readonly<Record<string, Texts>>;
}
type Texts = Readonly<Record<string, string>>;

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

/** Lists the requirements of one subject. */
export function requirementsOf(part: Texts): readonly Requirement[] {
  return Object.entries(part).map(([id, text]) => {
    const [decidedIn = '', ...rest] = text.split(': ');
    return { id, asks: rest.join(': '), decidedIn };
  });
}

/** Lists all requirements that are built. */
export function builtIn({ documents }: Requirements): readonly Requirement[] {
  return Object.values(documents).flatMap((parts) => Object.values(parts).flatMap(requirementsOf));
}

/** Maps each known id to its text. */
export function textsOf(requirements: Requirements): ReadonlyMap<string, string> {
  const built = builtIn(requirements).map(({ id, asks }) => [id, asks] as const);
  return new Map([...built, ...Object.values(requirements.notes).flatMap(Object.entries<string>)]);
}

/** An id of a requirement, or what looks like one. */
const ANY_ID = /\b[A-Z][A-Z0-9]*-\d/;

/** The files of tests in which an id stands: loading all others takes longer, and their titles name none. */
async function filesWithIds(): Promise<readonly string[]> {
  const texts = await Promise.all(
    testFiles().map(async (file) => ({
      file,
      text: await readFile(path.join(ROOT, file), 'utf8'),
    })),
  );
  return texts.filter(({ text }) => ANY_ID.test(text)).map(({ file }) => file);
}

/** Lists the tests that mocha would run and that may name a requirement, table-driven ones included, without running them. */
export async function readTests(): Promise<readonly TitledTest[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-spec-'));
  const output = path.join(folder, 'titles.json');
  const mocha = path.join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const reporting = ['--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`];
  try {
    await run(process.execPath, [mocha, ...reporting, ...(await filesWithIds())], { cwd: ROOT });
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
