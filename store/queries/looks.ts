import { sql } from 'kysely';
import type { Store } from '../schema.js';

/**
 * Takes the next look at something that every worker may look at; false if one of them took it less than so many seconds ago,
 * by the database's clock.
 */
export async function takeLook(db: Store, work: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into looks (work, at) values (${work}, now())
    on conflict (work) do update set at = excluded.at
      where looks.at <= now() - make_interval(secs => ${seconds})
    returning 1`.execute(db);
  return rows.length > 0;
}
