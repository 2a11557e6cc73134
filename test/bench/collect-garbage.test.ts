import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const COLLECTOR = fileURLToPath(new URL('../../bench/collect-garbage.cjs', import.meta.url));
const LIMIT_MS = 120_000;

/** Lets go of something, and says when it is gone, or that it is not: nobody else would collect it so soon. */
const THREAD = `
  const { parentPort } = require('node:worker_threads');
  const held = new WeakRef({});
  const look = (left) => {
    const gone = held.deref() === undefined;
    if (gone || left === 0) parentPort.postMessage(gone ? 'gone' : 'still held');
    else setTimeout(look, 10, left - 1);
  };
  setTimeout(() => { parentPort.postMessage('held'); look(6_000); });
`;
const PROGRAM = `
  const { Worker } = require('node:worker_threads');
  const seen = [];
  new Worker(${JSON.stringify(THREAD)}, { eval: true }).on('message', (what) => {
    seen.push(what);
    if (what === 'held') return process.kill(process.pid, 'SIGUSR2');
    console.log(seen.join());
    process.exit();
  });
`;

describe('the bench, before it reads the memory of a process', () => {
  it('collects the garbage of a thread that runs a string, as the threads of workflows do', async () => {
    const args = ['--require', COLLECTOR, '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LIMIT_MS });
    assert.equal(stdout.trim(), 'held,gone');
  });
});
