import { databaseUrl } from '../runtime/config.js';
import { runMain } from '../runtime/program.js';
import { migrateOrExplain } from './migrate.js';

/** `npm run migrate`: migrates the PostgreSQL database that `DATABASE_URL` names. */
await runMain(async () => {
  const applied = await migrateOrExplain(databaseUrl(process.env));
  const outcome = applied.length === 0 ? 'was up to date.' : `now has ${applied.join(', ')}.`;
  process.stdout.write(`The database ${outcome}\n`);
});
