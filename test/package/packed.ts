import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const ROOT = path.resolve(import.meta.dirname, '../..');

export type PackageName = 'holdpoint' | 'holdpoint-client';
const FOLDERS: Readonly<Record<PackageName, string>> = {
  holdpoint: '.',
  'holdpoint-client': 'client',
};

const tarballs = new Map<PackageName, Promise<string>>();

/** Builds and packs a package, once in a run; the file's path. */
export function packed(name: PackageName): Promise<string> {
  const tarball = tarballs.get(name) ?? pack(name);
  tarballs.set(name, tarball);
  return tarball;
}

async function pack(name: PackageName): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const cwd = path.join(ROOT, FOLDERS[name]);
  await run('npm', ['pack', '--pack-destination', folder], { cwd });
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error(`npm pack made no tarball of ${name}.`);
  return path.join(folder, file);
}

/** A project that has installed one of the packages: that and what it depends on, and nothing else. */
export interface Project {
  readonly folder: string;
  /** Of the installed package. */
  readonly installed: string;
  readonly remove: () => Promise<void>;
}

/** Installs a package from its tarball, with the packages of this repository for its dependencies. */
export async function projectWith(
  name: PackageName,
  files: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-package-'));
  const modules = path.join(folder, 'node_modules');
  const installed = path.join(modules, name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packed(name), '-C', installed, '--strip-components=1']);
  for (const dependency of await dependenciesOf(FOLDERS[name])) {
    await mkdir(path.dirname(path.join(modules, dependency)), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules', dependency), path.join(modules, dependency));
  }
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  return { folder, installed, remove: () => rm(folder, { recursive: true, force: true }) };
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What a package asks for directly; what those ask for is found from where they really are. */
async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const text = await readFile(path.join(ROOT, folder, 'package.json'), 'utf8');
  const { dependencies, peerDependencies } = JSON.parse(text) as Manifest;
  return [...Object.keys(dependencies ?? {}), ...Object.keys(peerDependencies ?? {})];
}
