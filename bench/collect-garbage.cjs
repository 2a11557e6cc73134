/**
 * Preloaded (`node --require`) into the processes of a stack whose memory is measured: on SIGUSR2 every thread of the
 * process collects its garbage. Not TypeScript, because it is loaded before what compiles that; and required, because a
 * thread that runs a string, as ours for workflows do, imports nothing beforehand.
 */
const process = require('node:process');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
// Not in the contexts of workflows.
setFlagsFromString('--no-expose-gc');

const others = new BroadcastChannel('holdpoint-collect-garbage');
others.onmessage = () => collect();
others.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    others.postMessage('collect');
    collect();
  });
}
