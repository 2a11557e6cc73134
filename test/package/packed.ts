import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

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
  const installed = await installInto(folder, name);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  return { folder, installed, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Installs a package into a project; the folder where it is then. */
export async function installInto(folder: string, name: PackageName): Promise<string> {
  const installed = path.join(folder, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packed(name), '-C', installed, '--strip-components=1']);
  const { bin = {} } = JSON.parse(
    await readFile(path.join(installed, 'package.json'), 'utf8'),
  ) as Manifest;
  for (const [command, file] of Object.entries(bin)) {
    const program = path.join(installed, file);
    await chmod(program, 0o755);
    await linkTo(program, path.join(folder, 'node_modules/.bin', command));
  }
  for (const one of await dependenciesOf(FOLDERS[name])) await linkPackage(folder, one);
  return installed;
}

/** Gives a project a package of this repository. */
export function linkPackage(folder: string, name: string): Promise<void> {
  return linkTo(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
}

/** Makes a link, unless it is there. */
async function linkTo(target: string, link: string): Promise<void> {
  await mkdir(path.dirname(link), { recursive: true });
  if (!existsSync(link)) await symlink(target, link);
}

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** What a package asks for directly; what those ask for is found from where they really are. */
async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const text = await readFile(path.join(ROOT, folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies, ...more } = JSON.parse(text) as Manifest;
  const peers = Object.keys(more.peerDependencies ?? {});
  // Frameworks are optional: who uses an adapter has installed them.
  const needed = peers.filter((name) => more.peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...needed];
}

/** What a compiler finds in some files of a project, without any types but those of their packages and the options'. */
export function faultsIn(
  { folder }: Project,
  names: readonly string[],
  options: ts.CompilerOptions,
): readonly string[] {
  const files = names.map((name) => path.join(folder, name));
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
