import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { RUN_LOGS, findLeaks, runLog } from './secrets.js';

/*
 * Runs mocha and then searches all that was written meanwhile for seeded secrets: what mocha and whoever
 * shares its streams wrote, and every log that tests keep by `runLog`.
 * Usage: tsx test/support/run-tests.ts <source that must have written>… -- <arguments of mocha>
 */

/** A process that a test forgot may hold mocha's streams open for ever. */
const LINGER_MS = 5_000;

function tee(from: Readable, to: NodeJS.WritableStream, source: string): void {
  const log = runLog(source);
  from.setEncoding('utf8').on('data', (text: string) => {
    to.write(text);
    log.write(text);
  });
}

async function runMocha(args: readonly string[]): Promise<number> {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  const colours = process.stdout.isTTY && !process.env['NO_COLOR'] ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, [mocha, ...args], {
    env: { ...process.env, ...colours },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  tee(child.stdout, process.stdout, 'mocha.stdout');
  tee(child.stderr, process.stderr, 'mocha.stderr');
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  await Promise.race([closed, pause(LINGER_MS)]);
  return code ?? 1;
}

const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-run-'));
process.env[RUN_LOGS] = folder;
const args = process.argv.slice(2);
const divider = args.indexOf('--');
const code = await runMocha(args.slice(divider + 1));
const complaints = await findLeaks(folder, [
  'mocha.stdout',
  ...args.slice(0, Math.max(divider, 0)),
]);
await rm(folder, { recursive: true });
for (const complaint of complaints) process.stderr.write(`secrets: ${complaint}\n`);
process.exit(code === 0 && complaints.length > 0 ? 1 : code);
