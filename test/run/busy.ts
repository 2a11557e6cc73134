import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LOOKS } from './second-look.js';

/*
 * Runs tests while other processes keep every core busy: what passes only where the machine is quick fails.
 * Usage: tsx test/run/busy.ts [<job>…]; without a job, the tests that wait for real clocks and servers.
 */
const BURN = fileURLToPath(new URL('burn.mjs', import.meta.url));
for (let core = 0; core < availableParallelism(); core += 1) {
  spawn(process.execPath, [BURN, String(process.pid)], { stdio: 'ignore' }).unref();
}
process.env[LOOKS] = '1';
if (process.argv.length === 2) process.argv.push('real');
await import('./run-tests.js');
