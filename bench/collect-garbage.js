/**
 * Preloaded (`node --import`) into the processes of a stack whose memory is measured: on SIGUSR2 every thread of the
 * process collects its garbage. Not TypeScript, because it is loaded before what compiles that.
 */
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

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
