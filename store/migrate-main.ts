import { migrateToLatest } from './migrate.js';

/** `npm run migrate`: brings the PostgreSQL database that `DATABASE_URL` names up to date. */
async function main(url: string | undefined): Promise<string> {
  if (!url) throw new Error('DATABASE_URL is not set: name the PostgreSQL database to migrate.');
  const applied = await migrateToLatest(url);
  return applied.length === 0 ? 'The database was up to date.' : `Applied ${applied.join(', ')}.`;
}

try {
  process.stdout.write(`${await main(process.env['DATABASE_URL'])}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
