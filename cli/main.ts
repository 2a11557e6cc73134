import { EXIT, type ExitCode } from './failures.js';
import { interruption } from './interrupts.js';
import { runShellCommand } from './program.js';

/** Returns the exit code after an error of the output. A code other than `done` stays. */
function codeAfter(code: ExitCode, error: NodeJS.ErrnoException): ExitCode {
  if (code !== EXIT.done) return code;
  // The reader has gone, as `head` does, so there is nothing left to print.
  return error.code === 'EPIPE' ? EXIT.done : EXIT.unwritten;
}

/** Resolves once all output is written, because an exit does not wait for it. */
function allWritten(stdout: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // A failure is also an error of the stream.
    stdout.write('', (error) => {
      if (!error) resolve();
    });
  });
}

async function main(): Promise<never> {
  const interrupt = new AbortController();
  const leave = (): never => process.exit(EXIT.interrupted);
  const onSignal = interruption(interrupt, () => performance.now(), leave);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const { env, stdin, stdout, stderr } = process;
  let code: ExitCode = EXIT.done;
  // Notes on stderr do not affect the result, even if nobody reads them.
  stderr.on('error', () => undefined);
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(codeAfter(code, error)));
  code = await runShellCommand(process.argv.slice(2), {
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    now: Date.now,
    interrupted: interrupt.signal,
  });
  // Nothing is left to clean up.
  interrupt.signal.addEventListener('abort', leave);
  await allWritten(stdout);
  process.exit(code);
}

await main();
