/**
 * Writes the API's description as one HTML page. Usage: `npm run docs:api [-- <file>]`; the page goes to
 * `dist/api.html` unless a file is named.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runMain } from '../../runtime/program.js';
import { V1_DOCUMENT } from '../v1/index.js';
import { pageInOneFile } from './page.js';

await runMain(async () => {
  const file = path.resolve(process.argv[2] ?? 'dist/api.html');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await pageInOneFile(V1_DOCUMENT));
  process.stdout.write(`${file}\n`);
});
