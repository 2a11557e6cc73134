import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { FROZEN } from './frozen.js';
import { frozenHistories } from './histories.js';

/*
 * `npm run freeze -- <name>`: keeps the bundle of today's workflows together with the histories that they left, so
 * that a later build can be tried against workflows which this one started, and this one against theirs. What is
 * frozen is never frozen again.
 */
const [name] = process.argv.slice(2);
if (!name) throw new Error('Name what is frozen, such as the version.');
const folder = new URL(`${name}/`, FROZEN);
await mkdir(FROZEN, { recursive: true });
await mkdir(folder);
const built = await mkdtemp(path.join(tmpdir(), 'holdpoint-freeze-'));
const bundle = path.join(built, 'workflow-bundle.js');
await promisify(execFile)(process.execPath, ['--import', 'tsx', 'workers/build-bundle.ts', bundle]);
const keep = (file: string, content: string | Buffer) =>
  writeFile(new URL(file, folder), gzipSync(content, { level: 9 }));
await keep('workflow-bundle.js.gz', await readFile(bundle));
await keep('histories.json.gz', JSON.stringify(frozenHistories()));
await rm(built, { recursive: true });
