import { createWriteStream } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { executableName, runCommand } from './commands.js';

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
 * Downloads a release of Temporal as its SDKs do: asks where the archive is (servers have a fixed address), fetches it, and
 * extracts the program into `folder`. It gives up after 15 seconds without a first byte, and after 60 seconds without a
 * further one. It logs progress every ten seconds.
 *
 * Limits: only the TLS connection to temporal.download or GitHub authenticates the archive; no checksum or signature is
 * compared. Proxies named in the environment are not used. `tar` must be on PATH.
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
  /** The path of the program in the archive. */
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
