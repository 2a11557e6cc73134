import { StartupError } from './startup-error.js';

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
