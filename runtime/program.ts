export type Environment = Readonly<Record<string, string | undefined>>;

/** Why a program cannot start or continue, in one line for the person who started it. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
  readonly exitCode: number = 1;
}

/** The port is taken by another program; another port would do. */
export class PortTakenError extends StartupError {
  /** @param setting - the environment variable that names the port */
  constructor(host: string, port: number, setting = 'PORT') {
    super(
      `Port ${port} on ${host} is already in use: stop what uses it, or set another ${setting}.`,
    );
  }
}

export function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** How many causes are followed; real chains have two or three, and one may lead back to itself. */
const CAUSES = 8;
const LOGGED_CHARACTERS = 200;

function word(part: unknown): string {
  return typeof part === 'string' || typeof part === 'number'
    ? String(part).slice(0, LOGGED_CHARACTERS)
    : typeof part;
}

/**
 * Returns the loggable parts of an unexpected error and its causes: name, codes and stack frames. The message is left
 * out, because it may quote what a caller sent. Never throws.
 */
export function traceOf(error: unknown): object {
  try {
    return traced(error, CAUSES);
  } catch {
    return { name: 'an error that cannot be read' };
  }
}

function traced(error: unknown, causes: number): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, stack, cause } = error;
  const text = typeof stack === 'string' ? stack : '';
  const frames = text.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: word(name),
    ...('code' in error && { code: word(error.code) }),
    // The error code of an ApplicationFailure.
    ...('type' in error && { type: word(error.type) }),
    frames: frames.map((line) => line.trim()),
    ...(cause !== undefined && causes > 0 && { cause: traced(cause, causes - 1) }),
  };
}

function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a program and exits with 0; if it throws, prints why and exits with 1, or with the code of a StartupError. */
export async function runMain(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(error instanceof StartupError ? error.exitCode : 1);
  }
  process.exit(0);
}

/**
 * Resolves when this process should end: after SIGTERM or SIGINT, or when its parent is gone (the IPC channel has
 * closed).
 *
 * The handlers stay, because Ctrl-C under npm arrives twice, and the second one must not end the process before its
 * work is finished.
 */
export function untilStopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (!isAsked && !process.connected) {
        // Ctrl-C may already have ended the program that reads this.
        process.stderr.on('error', () => undefined);
        process.stderr.write(`${signal}: finishing what is under way.\n`);
      }
      isAsked = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    process.once('disconnect', () => resolve());
  });
}

/** Reports to the supervisor that this process is ready; without a supervisor prints `line`. */
export function sayReady(line: string): void {
  if (process.connected) process.send?.('ready');
  else process.stdout.write(`${line}\n`);
}
