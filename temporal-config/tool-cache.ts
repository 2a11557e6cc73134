import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { withCacheLock } from './cache-lock.js';
import type { LockOptions } from './cache-lock.js';
import { reasonOf } from './errors.js';

/**
 * The folder in which downloaded and built tools are kept between runs: `HOLDPOINT_CACHE_DIR`,
 * else `holdpoint` under `XDG_CACHE_HOME`, else `~/.cache/holdpoint`. Not created here.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env['HOLDPOINT_CACHE_DIR'];
  if (own) return resolve(own);
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'holdpoint');
}

/** One way to come by a tool: fills an empty folder, or throws an Error that says why it cannot. */
export interface ToolMaker<S extends string> {
  source: S;
  make: (folder: string) => Promise<void>;
}

export interface CachedTool<S extends string> extends LockOptions {
  folder: string;
  /** Name and version, e.g. `temporal-1.5.1`. Platform and source are added to it. */
  name: string;
  /** The file within the made folder that is run. */
  executable: string;
  isUsable: (path: string) => Promise<boolean>;
  makers: readonly ToolMaker<S>[];
}

export interface FoundTool<S extends string> {
  path: string;
  source: S;
}

/** Why each source failed, in the order they were tried. */
export interface NoTool<S extends string> {
  failures: { source: S; reason: string }[];
}

/**
 * The tool from the cache, else made by the first of `makers` that can. Each result is made in a
 * folder of its own and renamed into place, so a reader never meets half a tool; one run makes it,
 * others wait. An entry that is not usable is made again.
 */
export async function cachedTool<S extends string>(
  tool: CachedTool<S>,
): Promise<FoundTool<S> | NoTool<S>> {
  const known = await fromCache(tool);
  if (known !== undefined) return known;
  await mkdir(tool.folder, { recursive: true });
  return await withCacheLock(
    join(tool.folder, `${entryName(tool)}.lock`),
    async () => (await fromCache(tool)) ?? (await makeTool(tool)),
    tool,
  );
}

async function fromCache<S extends string>(tool: CachedTool<S>): Promise<FoundTool<S> | undefined> {
  for (const { source } of tool.makers) {
    const path = join(entryFolder(tool, source), tool.executable);
    if (await tool.isUsable(path)) return { path, source };
  }
  return undefined;
}

async function makeTool<S extends string>(tool: CachedTool<S>): Promise<FoundTool<S> | NoTool<S>> {
  const failures: NoTool<S>['failures'] = [];
  await removeLeftovers(tool);
  for (const { source, make } of tool.makers) {
    const made = await mkdtemp(join(tool.folder, unfinishedPrefix(tool)));
    try {
      await make(made);
      if (!(await tool.isUsable(join(made, tool.executable)))) {
        throw new Error('what came of it does not run here');
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

/** Only ever called by the holder of the lock: what is unfinished then belongs to a dead run. */
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
