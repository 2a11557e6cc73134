import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepFrozen } from './frozen.js';

/*
 * `npm run freeze`: keeps the bundle of this version's workflows, so that a later build can be tried against workflows which
 * this one started, and this one against theirs. What is frozen is never frozen again.
 */
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const built = await mkdtemp(path.join(tmpdir(), 'holdpoint-freeze-'));
const bundle = path.join(built, 'workflow-bundle.js');
await promisify(execFile)(process.execPath, ['--import', 'tsx', 'workers/build-bundle.ts', bundle]);
await keepFrozen(version, await readFile(bundle, 'utf8'));
await rm(built, { recursive: true });
