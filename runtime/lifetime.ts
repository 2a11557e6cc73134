/**
 * The supervised side: resolves when this process is to end, because it got SIGTERM or SIGINT, or
 * because the process that started it is gone (its IPC channel has closed).
 */
export function untilToldToStop(): Promise<void> {
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
