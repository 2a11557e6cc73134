import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { importCycles } from '../conventions/import-cycles.js';

/*
 * Looks at types, at the rules of the house (docs/adr/0101), and that no modules import each other in a circle. One after
 * the other, for each alone uses every core or much memory; all say what they find.
 * Usage: tsx test/run/check.ts [types|rules|all] [<folder>]
 */
const [what = 'all', where = '.'] = process.argv.slice(2);
const folder = path.resolve(where);
/** The inbox has projects of its own, for it runs in browsers: as a page, and as its service worker. */
const PROJECTS = ['tsconfig.json', 'web/tsconfig.json', 'web/worker/tsconfig.json'];
/** More checkers find the types of shared files once each, and a smaller heap is swept for half of the time. */
const ONE_CHECKER = ['--checkers', '1'];
const LARGE_HEAP = { GOGC: '400' };

/** The path of a program of a package. */
function programOf(name: string, program: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return path.join(path.dirname(manifest), program);
}

/** Runs a program of Node on the folder; returns whether it finds nothing. */
async function passes(...args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, ...LARGE_HEAP };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

function typesAreSound(project: string): Promise<boolean> {
  const compiler = programOf('typescript-7', 'bin/tsc');
  return passes(compiler, '--noEmit', '--pretty', 'false', '-p', project, ...ONE_CHECKER);
}

async function goInNoCircle(): Promise<boolean> {
  const cycles = await importCycles(folder);
  for (const cycle of cycles) console.log(`import cycle: ${cycle.join(', ')}`);
  return cycles.length === 0;
}

const checks: (() => Promise<boolean>)[] = [];
if (what === 'all' || what === 'types') {
  const projects = PROJECTS.filter((project) => existsSync(path.join(folder, project)));
  checks.push(...projects.map((project) => () => typesAreSound(project)));
}
if (what === 'all' || what === 'rules') {
  checks.push(() => passes(programOf('oxlint', 'bin/oxlint'), '--deny-warnings', '--format=unix'));
  checks.push(goInNoCircle);
}
if (checks.length === 0) throw new Error(`There is no check ${what}: types, rules or all.`);
const ended: boolean[] = [];
for (const check of checks) ended.push(await check());
process.exitCode = ended.every(Boolean) ? 0 : 1;
