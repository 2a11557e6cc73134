import path from 'node:path';
import { format } from 'prettier';
import { idsIn } from './coverage.js';
import type { Requirement, Requirements, TitledTest } from './requirements.js';

/** The path of the page. */
export const REQUIREMENTS_PAGE = path.resolve(import.meta.dirname, '../../docs/requirements.md');

/** How many tests the page names for each requirement. The others are counted. */
const NAMED = 2;

const INTRODUCTION = `# Requirements

Look up here what an id such as R25-32 in a comment or a test title means: what it asks, in our own words,
where it is decided, and which tests prove it. R25 stands for RFC-0025 and R26 for RFC-0026 of OpenIntent, JC for
Jido Composer, P3 for tool calls that pause a task, and A54 for ADR-0054.

\`npm run spec\` writes this page from \`test/conventions/requirements.json\` and from the titles of the tests.
A test checks that it is up to date.
`;

const LATER: Readonly<Record<string, string>> = {
  JC: 'how requests reach a person, and the states of a flow',
  P3: 'prompts, and the record of decisions',
  A54: 'the steps of resuming with their events, other surfaces and alerts',
};

const OTHERS = `## Other ids in test titles

| ids | meaning |
| --- | --- |
| TL | The rows of the timeline in RFC-0026. They are built. |
| TD | What follows from the same timeline in cases that it does not show. Built as well. |
| TM | What a notion of the specifications became on Temporal. |
| AM | A point that the specifications leave open, and that we decided. The reason stands as a comment where it is decided. |
`;

/** Renders the whole page, formatted as the project formats Markdown. */
export async function renderRequirements(
  { documents, later }: Requirements,
  tests: readonly TitledTest[],
): Promise<string> {
  const proofs = proofsById(tests);
  const sections = documents.flatMap(({ title, parts }) => [
    `## ${title}`,
    ...parts.flatMap((part) => [
      `### ${part.title}`,
      ...part.requirements.map((one) => entryOf(one, proofs.get(one.id) ?? [])),
    ]),
  ]);
  const page = [INTRODUCTION, ...sections, ...laterOf(later), OTHERS].join('\n\n');
  return format(page, { parser: 'markdown', printWidth: 100 });
}

/**
 * Groups tests by the ids in their titles. Tests with the fewest ids come first, because they are the most
 * specific.
 */
function proofsById(tests: readonly TitledTest[]): ReadonlyMap<string, readonly TitledTest[]> {
  const ranked = tests
    .map((test) => ({ test, ids: idsIn(test.fullTitle) }))
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => a.ids.length - b.ids.length || compare(a.test, b.test));
  const proofs = new Map<string, TitledTest[]>();
  for (const { test, ids } of ranked) {
    for (const id of new Set(ids)) proofs.set(id, [...(proofs.get(id) ?? []), test]);
  }
  return proofs;
}

function compare(a: TitledTest, b: TitledTest): number {
  const [one, other] = [a, b].map(({ file, fullTitle }) => `${file}\n${fullTitle}`);
  if (one === other || one === undefined || other === undefined) return 0;
  return one < other ? -1 : 1;
}

function entryOf({ id, asks, decidedIn }: Requirement, proofs: readonly TitledTest[]): string {
  const named = proofs.slice(0, NAMED).map(({ fullTitle, file }) => {
    const title = fullTitle.replace(/ ?\[[^[\]]*\]/g, '').trim();
    return `“${title.replace(/([\\`*_<>|[\]])/g, '\\$1')}” (${linkTo(file)})`;
  });
  const more = proofs.length - named.length;
  const others = more > 0 ? ` and ${more} more` : '';
  const proved =
    named.length === 0 ? 'No test names it.' : `Proved by ${named.join(', ')}${others}.`;
  return `#### ${id}\n\n${asks}\n\nDecided in ${linkTo(decidedIn)}. ${proved}`;
}

function linkTo(file: string): string {
  return `[\`${file}\`](../${file})`;
}

/** The part about what no test names yet; nothing if there is none. */
function laterOf(later: Requirements['later']): readonly string[] {
  const ids = Object.keys(later);
  const counts = Object.entries(LATER).map(([family, subject]) => {
    const count = ids.filter((id) => id.startsWith(`${family}-`)).length;
    return { family, subject, count };
  });
  const rows = counts
    .filter(({ count }) => count > 0)
    .map(({ family, count, subject }) => `| ${family} | ${count} | ${subject} |`);
  if (rows.length === 0) return [];
  const head = '## Not proved yet\n\nNo test names these yet, though some of them are built.';
  return [[head, '', '| ids | number | subject |', '| --- | --- | --- |', ...rows].join('\n')];
}
