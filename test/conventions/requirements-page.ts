import path from 'node:path';
import { format } from 'prettier';
import { idsIn } from './coverage.js';
import {
  requirementsOf,
  type Requirement,
  type Requirements,
  type TitledTest,
} from './requirements.js';

/** The path of the page. */
export const REQUIREMENTS_PAGE = path.resolve(import.meta.dirname, '../../docs/requirements.md');

/** How many tests the page names for each requirement. The others are counted. */
const NAMED = 2;

const INTRODUCTION = `# Requirements

Look up here what an id such as R25-32 in a comment or a test title means: what it asks, in our own words,
where it is decided, and which tests prove it.

| ids | from |
| --- | --- |
| R25, R26 | RFC-0025 and RFC-0026 of OpenIntent |
| JC | Jido Composer: a person in a flow |
| P3 | Phase 3: tool calls that pause a task |
| A54 | A specification of approvals by route, called ADR-0054 by its authors. It is none of [our records](adr/README.md) |
| AM | A point that these leave open, and what was decided |
| TM | What a notion of these became on Temporal |
| TL, TD | The rows of the timeline in RFC-0026, and what follows from it |

\`npm run spec\` writes this page from \`test/conventions/requirements.json\` and from the titles of the tests.
A test checks that it is up to date.
`;

/** Renders the whole page, formatted as the project formats Markdown. */
export async function renderRequirements(
  { documents, notes }: Requirements,
  tests: readonly TitledTest[],
): Promise<string> {
  const proofs = proofsById(tests);
  const sections = Object.entries(documents).flatMap(([title, parts]) => [
    `## ${title}`,
    ...Object.entries(parts).flatMap(([subject, part]) => [
      `### ${subject}`,
      ...requirementsOf(part).map((one) => entryOf(one, proofs.get(one.id) ?? [])),
    ]),
  ]);
  const points = Object.entries(notes).flatMap(([title, texts]) => [
    `## ${title}`,
    ...Object.entries(texts).map(
      ([id, says]) => `#### ${id}\n\n${says}\n\n${provedBy(proofs.get(id) ?? [])}`,
    ),
  ]);
  const page = [INTRODUCTION, ...sections, ...points].join('\n\n');
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
  return `#### ${id}\n\n${asks}\n\nDecided in ${linkTo(decidedIn)}. ${provedBy(proofs)}`;
}

/** The sentence that names the tests for an id. */
function provedBy(proofs: readonly TitledTest[]): string {
  const named = proofs.slice(0, NAMED).map(({ fullTitle, file }) => {
    const title = fullTitle.replace(/ ?\[[^[\]]*\]/g, '').trim();
    return `“${title.replace(/([\\`*_<>|[\]])/g, '\\$1')}” (${linkTo(file)})`;
  });
  if (named.length === 0) return 'No test names it.';
  const more = proofs.length - named.length;
  return `Proved by ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function linkTo(file: string): string {
  return `[\`${file}\`](../${file})`;
}
