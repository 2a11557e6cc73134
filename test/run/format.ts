import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

/*
 * Looks whether all files are formatted. Prettier writes and decides, but is slow: it is asked only about files that
 * oxfmt, which writes nearly the same, would write in another way, for example some unions (docs/adr/0099).
 * Usage: tsx test/run/format.ts [<folder>]
 */
const ROOT = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(process.argv[2] ?? '.');
const OXFMT = ['bin/oxfmt', '--list-different', '--config', path.join(ROOT, '.oxfmtrc.json')];
const PRETTIER = ['bin/prettier.cjs', '--check', '--ignore-unknown', '--config'];

/** Runs a program of a package on the folder; returns what it wrote, and how it ended. */
function run(name: string, [program = '', ...args]: readonly string[]) {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const all = [path.join(path.dirname(manifest), program), ...args];
  const ended = spawnSync(process.execPath, all, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  return { code: ended.status, out: ended.stdout, said: ended.stdout + ended.stderr };
}

/** Whether Prettier, too, finds that these are badly formatted; says so. */
function areBad(files: readonly string[]): boolean {
  const { code, said } = run('prettier', [
    ...PRETTIER,
    path.join(ROOT, '.prettierrc.json'),
    ...files,
  ]);
  if (code !== 0) process.stdout.write(said);
  return code !== 0;
}

/** How oxfmt ends where it could read all files, and would write some in another way. */
const DIFFERS = 1;

const quick = run('oxfmt', [...OXFMT, '.']);
const differing = quick.out.split('\n').filter((line) => line !== '');
const isUnread = quick.code !== 0 && (quick.code !== DIFFERS || differing.length === 0);
if (isUnread) process.stdout.write(quick.said);
process.exitCode = isUnread || (differing.length > 0 && areBad(differing)) ? 1 : 0;
