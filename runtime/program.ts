/** Why a program cannot start or go on, in one line for the person who started it; needs no stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** The port is taken by another program; another port would do. */
export class PortTakenError extends StartupError {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is already in use: stop what uses it, or set another PORT.`);
  }
}

/**
 * What of an unexpected error may be logged: its kind, codes and frames, and those of its causes. Its
 * message is left out, for it may quote what a caller sent.
 */
export function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((text) => /^\s+at /.test(text));
  return {
    name: error.name,
    ...('code' in error && { code: String(error.code) }),
    // The error code of an ApplicationFailure.
    ...('type' in error && { type: String(error.type) }),
    frames: frames.map((text) => text.trim()),
    ...(error.cause !== undefined && { cause: traceOf(error.cause) }),
  };
}

/** What is wrong with the settings or the surroundings needs no stack; a defect does. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a program to its end and exits with 0; where it throws, says why and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
  process.exit(0);
}

/**
 * The supervised side: resolves when this process is to end, because it got SIGTERM or SIGINT, or
 * because the process that started it is gone (its IPC channel has closed).
 */
export function untilStopRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('disconnect', () => resolve());
  });
}

/** Tells the supervisor that this process can be used; where there is none, whoever reads `line`. */
export function sayReady(line: string): void {
  if (process.connected) process.send?.('ready');
  else process.stdout.write(`${line}\n`);
}
