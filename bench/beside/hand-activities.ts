import type pg from 'pg';

const TABLE = 'create table if not exists by_hand (id text primary key, told text, outcome text)';

/** Creates the table of the workflows by hand. */
export async function createHandTable(pool: pg.Pool): Promise<void> {
  await pool.query(TABLE);
}

/** The activities of the workflows by hand. Telling somebody is a line in a column: only what Temporal does is counted. */
export function handActivities(pool: pg.Pool) {
  return {
    async noteQuestion(id: string): Promise<void> {
      await pool.query(
        `insert into by_hand (id, told) values ($1, 'somebody') on conflict (id) do nothing`,
        [id],
      );
    },

    async noteOutcome(id: string, outcome: string): Promise<void> {
      await pool.query('update by_hand set outcome = $2 where id = $1', [id, outcome]);
    },
  };
}
