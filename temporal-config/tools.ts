import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  answerOf,
  executableName,
  findExecutable,
  isExecutableFile,
  runCommand,
} from './commands.js';
import { homedir } from 'node:os';
import { lockFolder, waitForFolder } from '../runtime/folder-lock.js';
import { TemporalConfigError, reasonOf, type TemporalConfigErrorCode } from './errors.js';
import { defined } from '../contracts/constants/defined.js';

const HOST = 'https://temporal.download';
const SERVER_RELEASES = 'https://github.com/temporalio/temporal/releases/download';
const FIRST_BYTE_MS = 15_000;
const STALLED_MS = 60_000;
const PROGRESS_MS = 10_000;
const PLATFORMS: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

export interface DownloadRequest {
  /** `server`: the programs of a server in production, which Temporal publishes on GitHub. */
  artifact: 'cli' | 'temporal-test-server' | 'server';
  version: string;
  /** The program in the archive, without `.exe`. */
  program: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** Milliseconds until the archive's first byte. */
  firstByteMs?: number;
  fetch?: typeof globalThis.fetch;
}

/**
 * Downloads a release of Temporal as its SDKs do: asks for the archive's address (fixed for servers), fetches it, and
 * extracts the program into `folder`. It gives up after 15 seconds without a first byte, and after 60 seconds without
 * a further one. It logs progress every ten seconds.
 *
 * Limits: only the TLS connection to temporal.download or GitHub authenticates the archive; no checksum or signature
 * is compared. Proxies named in the environment are not used. `tar` must be on PATH.
 *
 * @throws Error that says why there is no program
 */
export async function downloadProgram(request: DownloadRequest, folder: string): Promise<void> {
  const { program, env, log } = request;
  const host = request.artifact === 'server' ? SERVER_RELEASES : HOST;
  log(
    `downloading ${program} ${request.version} from ${host}, because it is not installed; usually under a minute, once`,
  );
  const watch = new Watchdog(request.firstByteMs ?? FIRST_BYTE_MS, 'no answer');
  const archive = join(folder, 'archive');
  let member: string;
  try {
    member = await fetchArchive(request, archive, watch);
  } finally {
    watch.end();
  }
  await runCommand({
    program: 'tar',
    args: ['-xf', archive, '-C', folder, member],
    cwd: folder,
    env,
    label: `unpacking ${program}`,
    log,
    limitMs: 300_000,
  });
  const path = join(folder, executableName(program));
  if (join(folder, member) !== path) await rename(join(folder, member), path);
  await chmod(path, 0o755);
  await rm(archive);
}

async function fetchArchive(
  request: DownloadRequest,
  archive: string,
  watch: Watchdog,
): Promise<string> {
  const get = request.fetch ?? globalThis.fetch;
  const { archiveUrl, fileToExtract } = await locate(request, get, watch);
  const response = await get(archiveUrl, { signal: watch.signal });
  if (!response.ok || response.body === null) {
    throw new Error(`${archiveUrl} answered with status ${response.status}`);
  }
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  let bytes = 0;
  const progress = setInterval(() => {
    request.log(`downloading ${request.program}: ${Math.round(bytes / 1e6)} MB so far`);
  }, PROGRESS_MS);
  body.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    watch.expect(STALLED_MS, 'the download stalled');
  });
  try {
    await pipeline(body, createWriteStream(archive), { signal: watch.signal });
  } finally {
    clearInterval(progress);
  }
  return fileToExtract;
}

interface Location {
  archiveUrl: string;
  fileToExtract: string;
}

async function locate(
  request: DownloadRequest,
  get: typeof globalThis.fetch,
  { signal }: Watchdog,
): Promise<Location> {
  const { artifact, version, program } = request;
  const platform = PLATFORMS[process.platform];
  const arch = ARCHITECTURES[process.arch];
  if (platform === undefined || arch === undefined) {
    throw new Error(`there is no download for ${process.platform} on ${process.arch}`);
  }
  if (artifact === 'server') {
    const archive = `temporal_${version}_${platform}_${arch}`;
    const format = platform === 'windows' ? 'zip' : 'tar.gz';
    const archiveUrl = `${SERVER_RELEASES}/v${version}/${archive}.${format}`;
    return { archiveUrl, fileToExtract: executableName(program) };
  }
  const query = new URLSearchParams({ arch, platform });
  if (artifact === 'cli') query.set('format', 'tar.gz');
  const place = await get(`${HOST}/${artifact}/v${version}?${query.toString()}`, { signal });
  return readLocation(place.ok ? await place.json() : place.status);
}

function readLocation(answer: unknown): Location {
  if (typeof answer === 'number') throw new Error(`${HOST} answered with status ${answer}`);
  if (typeof answer === 'object' && answer !== null) {
    const { archiveUrl, fileToExtract } = answer as Record<string, unknown>;
    if (typeof archiveUrl === 'string' && typeof fileToExtract === 'string') {
      return { archiveUrl, fileToExtract };
    }
  }
  throw new Error(`${HOST} did not say where the archive is`);
}

/** Aborts its signal unless it is reset in time. */
class Watchdog {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, complaint: string) {
    this.expect(ms, complaint);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  expect(ms: number, complaint: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#abort.abort(new Error(`${complaint} for ${ms / 1000} s`));
    }, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Returns the folder that keeps downloaded and built tools: `HOLDPOINT_CACHE_DIR`, or `holdpoint` under
 * `XDG_CACHE_HOME`, or `~/.cache/holdpoint`. It may not exist.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const own = env['HOLDPOINT_CACHE_DIR'];
  if (own) return resolve(own);
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'holdpoint');
}

export interface ResolveOptions {
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

export interface FoundTool {
  path: string;
  source: string;
}

/**
 * Finds a tool by its variable, on PATH if `onPath`, in the cache folder, then by its makers. If the variable names
 * another program, nothing else is tried.
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

interface NoTool<S extends string> {
  failures: { source: S; reason: string }[];
}

/**
 * Returns the tool from the cache, or made by the first of `makers` that succeeds, in a folder that is then renamed,
 * so readers never see an unfinished tool. One process makes it while others wait.
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
