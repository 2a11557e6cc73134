import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { lookUntil } from '../support/looks.js';

const BURN = fileURLToPath(new URL('burn.mjs', import.meta.url));
const STARTS_ONE = `
  const { spawn } = require('node:child_process');
  const burning = spawn(process.execPath, [process.argv[1], String(process.pid)]);
  burning.once('spawn', () => process.stdout.write(String(burning.pid)));
  setInterval(() => undefined, 1_000);`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a process that keeps a core busy', () => {
  it('ends with the one that started it, also where that is killed', async () => {
    const starter = spawn(process.execPath, ['-e', STARTS_ONE, BURN]);
    const [told] = (await once(starter.stdout, 'data')) as [Buffer];
    const pid = Number(told.toString());
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await lookUntil(() => Promise.resolve(!isAlive(pid)), `process ${pid} goes on`);
  });
});
