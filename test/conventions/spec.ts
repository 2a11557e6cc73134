/**
 * Lists the requirement ids that no test title names, and writes `docs/requirements.md`. Exit code 1 where a
 * title names an unknown id. Usage: `npm run spec`; for some ids only, and without writing the page,
 * `npm run spec -- --issue R25-01..98 R25-102`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { coverageOf, selectIds } from './coverage.js';
import { REQUIREMENTS_PAGE, renderRequirements } from './requirements-page.js';
import { readRequirements, readTests, textsOf } from './requirements.js';

function print(
  ids: readonly string[],
  unnamed: readonly string[],
  texts: ReadonlyMap<string, string>,
): void {
  for (const family of new Set(ids.map((id) => id.split('-')[0] ?? id))) {
    const isMember = (id: string): boolean => id.startsWith(`${family}-`);
    const missing = unnamed.filter(isMember);
    const total = ids.filter(isMember).length;
    console.log(`\n${family}: ${total - missing.length} of ${total} named, ${missing.length} not`);
    for (const id of missing) console.log(`  ${id}  ${texts.get(id) ?? ''}`.trimEnd());
  }
}

const { values, positionals } = parseArgs({
  options: { issue: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const requirements = await readRequirements();
const texts = textsOf(requirements);
const known = [...texts.keys()];
const ranges = [...values.issue, ...positionals].flatMap((text) => text.split(','));
const ids = selectIds(known, ranges);
const tests = await readTests();
const titles = tests.map(({ fullTitle }) => fullTitle);
const { unnamed } = coverageOf(titles, ids);
const { unknown } = coverageOf(titles, known);

print(ids, unnamed, texts);
console.log(
  `\n${ids.length - unnamed.length} of ${ids.length} ids named by ${titles.length} tests`,
);
for (const id of unknown) console.error(`a test title names ${id}, which does not exist`);
if (ranges.length === 0) {
  await writeFile(REQUIREMENTS_PAGE, await renderRequirements(requirements, tests));
}
process.exitCode = unknown.length === 0 ? 0 : 1;
