/**
 * Lists the requirement ids that no test title names; exit 1 where a title names an unknown id.
 * Usage: `npm run spec`, or for a part of them `npm run spec -- --issue R25-01..98 R25-102`.
 * The titles are those mocha would run, so ids from table-driven tests count too.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { coverageOf, selectIds } from './coverage.js';

interface Requirements {
  readonly summaries: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
}

interface Report {
  readonly tests: readonly { readonly fullTitle: string }[];
}

const run = promisify(execFile);
const TESTS = path.resolve(import.meta.dirname, '..');

async function readRequirements(): Promise<Requirements> {
  const file = path.join(import.meta.dirname, 'requirements.json');
  return JSON.parse(await readFile(file, 'utf8')) as Requirements;
}

/** The titles as mocha itself finds them, in a run that executes nothing. */
async function readTitles(): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-spec-'));
  const output = path.join(folder, 'titles.json');
  const mocha = path.resolve(TESTS, '../node_modules/mocha/bin/mocha.js');
  const reporting = ['--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`];
  try {
    await run(process.execPath, [mocha, ...reporting, `${TESTS}/**/*.test.ts`]);
    const report = JSON.parse(await readFile(output, 'utf8')) as Report;
    return report.tests.map(({ fullTitle }) => fullTitle);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function print(
  ids: readonly string[],
  unnamed: readonly string[],
  summaries: Requirements['summaries'],
): void {
  for (const family of new Set(ids.map((id) => id.split('-')[0] ?? id))) {
    const isMember = (id: string): boolean => id.startsWith(`${family}-`);
    const missing = unnamed.filter(isMember);
    const total = ids.filter(isMember).length;
    console.log(`\n${family}: ${total - missing.length} of ${total} named, ${missing.length} not`);
    for (const id of missing) console.log(`  ${id}  ${summaries[id] ?? ''}`.trimEnd());
  }
}

const { values, positionals } = parseArgs({
  options: { issue: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const requirements = await readRequirements();
const known = [...Object.keys(requirements.summaries), ...requirements.ids];
const ranges = [...values.issue, ...positionals].flatMap((text) => text.split(','));
const ids = selectIds(known, ranges);
const titles = await readTitles();
const { unnamed } = coverageOf(titles, ids);
const { unknown } = coverageOf(titles, known);

print(ids, unnamed, requirements.summaries);
console.log(
  `\n${ids.length - unnamed.length} of ${ids.length} ids named by ${titles.length} tests`,
);
for (const id of unknown) console.error(`a test title names ${id}, which does not exist`);
process.exitCode = unknown.length === 0 ? 0 : 1;
