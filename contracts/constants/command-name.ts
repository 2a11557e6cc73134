/** How each package manager runs a program of an installed package. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx holdpoint',
  pnpm: 'pnpm exec holdpoint',
  yarn: 'yarn holdpoint',
  bun: 'bunx holdpoint',
};

/**
 * Returns the command that starts the command line here, because a project's own `holdpoint` is not on the PATH.
 *
 * @param program - path or URL of the running module: sources run through npm only
 * @param env - the variables that a package manager sets for its programs
 */
export function commandName(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (program.endsWith('.ts')) return 'npm run -s holdpoint --';
  const [manager = ''] = (env['npm_config_user_agent'] ?? '').split('/');
  return Object.hasOwn(RUNNERS, manager) ? (RUNNERS[manager] ?? 'holdpoint') : 'holdpoint';
}

/**
 * Returns the same for another terminal: it repeats a configured data folder, because commands find the service by
 * it.
 */
export function commandElsewhere(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folder = env['HOLDPOINT_DATA_DIR'] ?? '';
  const name = commandName(program, env);
  if (folder === '') return name;
  return `HOLDPOINT_DATA_DIR='${folder.replaceAll("'", String.raw`'\''`)}' ${name}`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** A short name is soon close to any other, so it may differ less. */
function mayDiffer(name: string): number {
  return name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
}

/** The known name that is spelt most like this one, or undefined if none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((each) => ({ each, distance: editDistance(name, each) }))
    .sort((a, b) => a.distance - b.distance);
  return closest && closest.distance <= mayDiffer(name) ? closest.each : undefined;
}
