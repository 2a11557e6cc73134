import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';
import { interruption } from './interrupts.js';
import { runShellCommand } from './program.js';

/** The code after an error of the output. A code that says more than that all is done stays. */
function codeAfter(code: ExitCode, error: NodeJS.ErrnoException): ExitCode {
  if (code !== EXIT.done) return code;
  // The reader has gone, as `head` does: there is nobody left to print for.
  return error.code === 'EPIPE' ? EXIT.done : EXIT.unwritten;
}

/** Resolves once all that was printed is written, which an exit does not wait for. */
function allWritten(stdout: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // What fails is an error of the stream too.
    stdout.write('', (error) => {
      if (!error) resolve();
    });
  });
}

/** Runs the command for people that the arguments name, and ends the process with its code. */
async function main(): Promise<never> {
  const interrupt = new AbortController();
  const leave = (): never => process.exit(EXIT.interrupted);
  const onSignal = interruption(interrupt, () => performance.now(), leave);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const { env, stdin, stdout, stderr } = process;
  let code: ExitCode = EXIT.done;
  // What is said beside the result changes nothing of it, also where nobody reads that.
  stderr.on('error', () => undefined);
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(codeAfter(code, error)));
  code = await runShellCommand(process.argv.slice(2), {
    env,
    stdin,
    stdout,
    stderr,
    now: Date.now,
    interrupted: interrupt.signal,
  });
  // There is nothing to tidy up any more.
  interrupt.signal.addEventListener('abort', leave);
  await allWritten(stdout);
  process.exit(code);
}

await main();
