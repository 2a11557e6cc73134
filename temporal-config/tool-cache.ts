import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { lockFolder, waitForFolder } from '../runtime/folder-lock.js';
import { answerOf, executableName, findExecutable, isExecutableFile } from './commands.js';
import { TemporalConfigError, reasonOf } from './errors.js';
import type { TemporalConfigErrorCode } from './errors.js';
import { defined } from '../contracts/constants/defined.js';

/**
 * Returns the folder that keeps downloaded and built tools between runs: `HOLDPOINT_CACHE_DIR`, or `holdpoint` under
 * `XDG_CACHE_HOME`, or `~/.cache/holdpoint`. It may not exist.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env['HOLDPOINT_CACHE_DIR'];
  if (own) return resolve(own);
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'holdpoint');
}

export interface ResolveOptions {
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** A program that Holdpoint starts but does not ship. */
interface Tool<S extends string> {
  /** For log lines: `Temporal CLI`. */
  label: string;
  /** Its name, also that of its file. */
  program: string;
  version: string;
  /** The environment variable that may name its path, and the error if the path is another program. */
  variable: string;
  unusable: TemporalConfigErrorCode;
  /** How it is recognised: run with `args`, it prints `answer`. */
  check: { args: readonly string[]; answer: string };
  /** How another executable differs, for messages. */
  fault: string;
  makers: readonly ToolMaker<S>[];
  /** Makes the error if no source has it. `why` returns why a source failed. */
  notFound: (why: (source: S) => string) => TemporalConfigError;
}

/** The path of a tool, and its original source, even if it was cached. */
export interface FoundTool {
  path: string;
  source: string;
}

/**
 * Finds a tool by its variable, on PATH if `onPath`, in the cache folder, then by its makers. Logs the result. If the
 * variable names another program, nothing else is tried.
 *
 * @throws TemporalConfigError `unusable` or `notFound` of the tool
 */
export async function findTool<S extends string>(
  tool: Tool<S>,
  { env = process.env, log }: ResolveOptions,
  { onPath = false } = {},
): Promise<FoundTool> {
  const { label, program, version, variable, fault, makers } = tool;
  const isUsable = async (path: string): Promise<boolean> =>
    (await answerOf(path, tool.check.args))?.includes(tool.check.answer) ?? false;

  async function find(): Promise<FoundTool> {
    const named = env[variable];
    if (named) {
      if (await isUsable(named)) return { path: named, source: variable };
      const reason = (await isExecutableFile(named)) ? fault : 'is not an executable file';
      throw new TemporalConfigError(tool.unusable, `${variable}: ${named} ${reason}.`);
    }
    const installed = onPath ? await findExecutable(program, env) : undefined;
    if (installed !== undefined) {
      if (await isUsable(installed)) return { path: installed, source: 'path' };
      log(`${installed} ${fault}; passed over`);
    }
    const name = `${program}-${version}`;
    const executable = executableName(program);
    const folder = cacheFolder(env);
    const made = await cachedTool<S>({ folder, name, executable, isUsable, makers, log });
    if (!('failures' in made)) return made;
    const reasons = new Map(made.failures.map(({ source, reason }) => [source, reason]));
    throw tool.notFound((source) => reasons.get(source) ?? 'not tried');
  }

  const found = await find();
  log(`${label}: ${found.path} (${found.source})`);
  return found;
}

/** A way to get a tool: fills an empty folder, or throws an Error that says why it cannot. */
export interface ToolMaker<S extends string> {
  source: S;
  make: (folder: string) => Promise<void>;
}

export interface CachedTool<S extends string> {
  folder: string;
  log: (line: string) => void;
  /** The approximate milliseconds between two tries to get the lock. */
  pollMs?: number;
  /** Name and version, e.g. `temporal-1.5.1`; platform and source are appended. */
  name: string;
  /** The program within that folder. */
  executable: string;
  isUsable: (path: string) => Promise<boolean>;
  makers: readonly ToolMaker<S>[];
}

/** Why each source failed, in the order of the tries. */
interface NoTool<S extends string> {
  failures: { source: S; reason: string }[];
}

/**
 * Returns the tool from the cache, or made by the first of `makers` that succeeds. Each result is made in its own folder
 * and then renamed, so readers never see an unfinished tool. One run makes the tool while others wait. An unusable entry is
 * made again.
 */
export async function cachedTool<S extends string>(
  tool: CachedTool<S>,
): Promise<FoundTool | NoTool<S>> {
  const known = await fromCache(tool);
  if (known !== undefined) return known;
  await mkdir(tool.folder, { recursive: true });
  const lock = await waitForFolder(() => lockFolder(tool.folder, entryName(tool)), {
    patienceMs: Infinity,
    ...defined({ pollMs: tool.pollMs }),
    onWait: ({ message }) => tool.log(`waiting for another run: ${message}`),
  });
  if (lock.tookOver) tool.log(`taking over ${tool.name}, left by a run that ended early`);
  try {
    return (await fromCache(tool)) ?? (await makeTool(tool));
  } finally {
    await lock.release();
  }
}

async function fromCache<S extends string>(tool: CachedTool<S>): Promise<FoundTool | undefined> {
  for (const { source } of tool.makers) {
    const path = join(entryFolder(tool, source), tool.executable);
    if (await tool.isUsable(path)) return { path, source };
  }
  return undefined;
}

async function makeTool<S extends string>(tool: CachedTool<S>): Promise<FoundTool | NoTool<S>> {
  const failures: NoTool<S>['failures'] = [];
  await removeLeftovers(tool);
  for (const { source, make } of tool.makers) {
    const made = await mkdtemp(join(tool.folder, unfinishedPrefix(tool)));
    try {
      await make(made);
      if (!(await tool.isUsable(join(made, tool.executable)))) {
        throw new Error('the result does not run here');
      }
      const entry = entryFolder(tool, source);
      await rm(entry, { recursive: true, force: true });
      await rename(made, entry);
      return { path: join(entry, tool.executable), source };
    } catch (error) {
      failures.push({ source, reason: reasonOf(error) });
      tool.log(`${basename(tool.name)} by ${source}: ${reasonOf(error)}`);
    } finally {
      await rm(made, { recursive: true, force: true });
    }
  }
  return { failures };
}

/** Only the holder of the lock calls this, so unfinished entries come from runs that ended early. */
async function removeLeftovers<S extends string>(tool: CachedTool<S>): Promise<void> {
  for (const name of await readdir(tool.folder)) {
    if (name.startsWith(unfinishedPrefix(tool))) {
      await rm(join(tool.folder, name), { recursive: true, force: true });
    }
  }
}

function entryName(tool: { name: string }): string {
  return `${tool.name}-${process.platform}-${process.arch}`;
}

function entryFolder(tool: { folder: string; name: string }, source: string): string {
  return join(tool.folder, `${entryName(tool)}-${source}`);
}

function unfinishedPrefix(tool: { name: string }): string {
  return `${entryName(tool)}.unfinished-`;
}
