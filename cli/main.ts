import { EXIT } from './exit-codes.js';
import { runShellCommand } from './program.js';

/** Runs the command for people that the arguments name, and ends the process with its code. */
async function main(): Promise<never> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Whoever presses Ctrl-C again does not want to wait for a tidy end.
      if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
      interrupt.abort(new Error('interrupted'));
    });
  }
  // The reader has gone, as `head` does: there is nobody left to print for.
  process.stdout.on('error', () => process.exit(EXIT.done));
  const { env, stdin, stdout, stderr } = process;
  const code = await runShellCommand(process.argv.slice(2), {
    env,
    stdin,
    stdout,
    stderr,
    now: Date.now,
    interrupted: interrupt.signal,
  });
  process.exit(code);
}

await main();
