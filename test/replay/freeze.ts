import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepFrozen } from './frozen.js';
import { frozenHistories } from './histories.js';

/*
 * `npm run freeze -- <name>`: keeps the bundle of today's workflows together with the histories that they left, so
 * that a later build can be tried against workflows which this one started, and this one against theirs. What is
 * frozen is never frozen again.
 */
const [name] = process.argv.slice(2);
if (!name) throw new Error('Name what is frozen, such as the version.');
const built = await mkdtemp(path.join(tmpdir(), 'holdpoint-freeze-'));
const bundle = path.join(built, 'workflow-bundle.js');
await promisify(execFile)(process.execPath, ['--import', 'tsx', 'workers/build-bundle.ts', bundle]);
await keepFrozen(name, await readFile(bundle), frozenHistories());
await rm(built, { recursive: true });
