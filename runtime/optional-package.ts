import { StartupError } from './program.js';

/**
 * Checks for a package that an installation may leave out (`npm install --omit=optional`), before anything is started.
 *
 * @param purpose - what needs the package, as the subject of a sentence
 * @throws StartupError that says how to install it
 */
export function demandPackage(name: string, purpose: string): void {
  try {
    import.meta.resolve(name);
  } catch (error) {
    throw new StartupError(
      `${purpose} needs the package ${name}, which is not installed: install holdpoint without --omit=optional.`,
      { cause: error },
    );
  }
}
