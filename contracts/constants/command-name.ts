/** How each package manager runs a program of an installed package. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx holdpoint',
  pnpm: 'pnpm exec holdpoint',
  yarn: 'yarn holdpoint',
  bun: 'bunx holdpoint',
};

/**
 * Returns the command that runs the command line, as this person has to type it: a text says what to run next, and a
 * project's own `holdpoint` is not on the PATH of the shell.
 *
 * @param program - path or URL of the running module: sources run through npm only
 * @param env - what a package manager says of itself to the programs that it runs
 */
export function commandName(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (program.endsWith('.ts')) return 'npm run -s holdpoint --';
  const [manager = ''] = (env['npm_config_user_agent'] ?? '').split('/');
  return Object.hasOwn(RUNNERS, manager) ? (RUNNERS[manager] ?? 'holdpoint') : 'holdpoint';
}

/** Returns the same for another terminal: a data folder that is set is repeated, because commands find the service by it. */
export function commandElsewhere(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folder = env['HOLDPOINT_DATA_DIR'] ?? '';
  const name = commandName(program, env);
  if (folder === '') return name;
  return `HOLDPOINT_DATA_DIR='${folder.replaceAll("'", String.raw`'\''`)}' ${name}`;
}
