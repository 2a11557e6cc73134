import { StartupError } from '../runtime/startup-error.js';
import { childEnv } from './child-env.js';
import { launchNode } from './node-process.js';
import { siblingScript } from './scripts.js';

/**
 * Bundles the workflow code into `file`, in a process of its own because it keeps one busy for
 * seconds. Every worker then starts from that file.
 *
 * @throws StartupError with the last lines of the bundler where it fails; the signal's reason where it
 * is aborted first
 */
export async function buildWorkflowBundle(
  file: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const builder = launchNode({
    script: siblingScript('../workers/build-bundle'),
    args: [file],
    env: childEnv(env),
    onLine: () => undefined,
  });
  const abort = (): void => builder.signalAll('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  const { how, lastLines } = await builder.ended;
  signal.removeEventListener('abort', abort);
  signal.throwIfAborted();
  if (how !== 'exit code 0') {
    throw new StartupError(`The workflow bundle could not be built (${how}): ${lastLines}`);
  }
}
