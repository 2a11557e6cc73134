import { commandName } from '../contracts/constants/command-name.js';

/** The command that runs this command line, for texts that say what to run next. */
export const COMMAND = commandName(import.meta.url, process.env);
