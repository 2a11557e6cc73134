import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** Names under which systems install it. The shell is the same browser without windows, and takes half of the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const;

const MISSING =
  'No Chromium was found, and these tests need one. Install it with "apt-get install chromium", or set CHROMIUM_PATH to a ' +
  'Chromium or Chrome of your own. With Node 22.17 or later, npm ci brings one by itself.';

type Environment = Readonly<Record<string, string | undefined>>;

/** The browser on this machine: the one that is set, the first of these names that is on the PATH, or the one of a package. */
export async function findChromium(env: Environment = process.env): Promise<string> {
  const set = env['CHROMIUM_PATH'] ?? '';
  if (set !== '') return set;
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const installed = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(
    (file) => existsSync(file),
  );
  const found = installed ?? (await packagedChromium());
  if (found === undefined) throw new Error(MISSING);
  return found;
}

interface PackagedChromium {
  readonly default: { executablePath(): Promise<string> };
}

/** An optional dependency, which npm leaves out where this version of Node cannot run it. */
async function packagedChromium(): Promise<string | undefined> {
  const name = '@sparticuz/chromium';
  const packaged = await (import(name) as Promise<PackagedChromium>).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      return undefined;
    }
    throw error;
  });
  return packaged?.default.executablePath();
}

/** A host that is not this machine to a browser, which gives a page over plain HTTP less there. */
export const AWAY = 'away.holdpoint.test';

/** Starts the browser. In a container it may have little shared memory, and no sandbox where all is done by root. */
export async function startChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--disable-dev-shm-usage',
      '--disable-gpu',
      `--host-resolver-rules=MAP ${AWAY} 127.0.0.1`,
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
  });
}
