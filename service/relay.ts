/** pino's number for warnings; what lies below is left to `npm run api`. */
const WARN = 40;

/** Where the lines of supervised processes go. */
export type Relay = (name: string, line: string, stream: 'stdout' | 'stderr') => void;

/**
 * Passes on what somebody at the terminal wants to read: notifications of the worker as they are, and
 * of every process what it writes to stderr, marked with its name. Of the API's log, which is JSON,
 * only warnings and errors.
 */
export function createRelay(log: (line: string) => void): Relay {
  return (name, line, stream) => {
    if (name === 'worker' && stream === 'stdout') log(line);
    else if (isWorthReading(line, stream)) log(`${name}: ${line}`);
  };
}

function isWorthReading(line: string, stream: 'stdout' | 'stderr'): boolean {
  if (line.trim() === '') return false;
  const level = levelOf(line);
  return level === undefined ? stream === 'stderr' : level >= WARN;
}

function levelOf(line: string): number | undefined {
  const found = /^\{"level":(\d+),/.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}
