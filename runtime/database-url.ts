import { StartupError } from './startup-error.js';

/**
 * The database that `DATABASE_URL` names.
 *
 * @throws StartupError where it is not set
 */
export function databaseUrl(env: Readonly<Record<string, string | undefined>>): string {
  const url = env['DATABASE_URL'] ?? '';
  if (url !== '') return url;
  throw new StartupError('DATABASE_URL is not set: name a PostgreSQL database.');
}
