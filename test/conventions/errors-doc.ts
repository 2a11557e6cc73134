/**
 * Writes `docs/errors.md` from the table of errors.
 * Usage: `npx tsx test/conventions/errors-doc.ts --write`; without `--write` it prints the page.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { ERRORS } from '../../contracts/constants/errors.js';

/** The path of the page. */
export const ERRORS_PAGE = path.resolve(import.meta.dirname, '../../docs/errors.md');

const INTRODUCTION = `# Errors

This page explains every refusal. Each refusal has one \`code\`, sent in an RFC 9457 problem body with the
status and title below. Programs should decide by the code: the \`detail\` beside it is written for people and
may change. Inside Temporal the code is the \`type\` of the ApplicationFailure.

This page is made from the tables in \`contracts/constants/errors.ts\` by
\`npx tsx test/conventions/errors-doc.ts --write\`, and a test compares the two.
`;

/** Every error, the lowest status first; errors of one status keep the order of the tables. */
export function errorsByStatus(): [string, readonly [number, string, string]][] {
  return Object.entries(ERRORS).sort(([, [one]], [, [other]]) => one - other);
}

/** Renders the whole page, formatted as the project formats Markdown. */
export async function renderErrors(): Promise<string> {
  const rows = errorsByStatus().map(
    ([code, [status, title, meaning]]) => `| ${status} | \`${code}\` | ${title} | ${meaning} |`,
  );
  const table = ['| status | code | title | meaning |', '| --- | --- | --- | --- |', ...rows];
  return format(`${INTRODUCTION}\n${table.join('\n')}\n`, { parser: 'markdown', printWidth: 100 });
}

async function main(): Promise<void> {
  const page = await renderErrors();
  if (process.argv.includes('--write')) await writeFile(ERRORS_PAGE, page);
  else process.stdout.write(page);
}

const [, script] = process.argv;
// A module that tests import must not await at its top level.
if (script !== undefined && import.meta.url === pathToFileURL(script).href) void main();
