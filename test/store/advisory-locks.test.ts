import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { describe, it } from 'mocha';
import { LOCKS, sharedLock, type LockName } from '../../store/advisory-locks.js';
import { useStore } from '../support/store.js';

const NAMES = Object.keys(LOCKS) as readonly LockName[];

describe('the advisory locks', () => {
  const store = useStore();

  it('have numbers of their own, so that none waits for another', () => {
    assert.equal(new Set(Object.values(LOCKS)).size, NAMES.length);
  });

  it('are the same in the functions of the database', async () => {
    const names = new Map(
      NAMES.map((name) => [sharedLock(store.db, name).compile().parameters.join(', '), name]),
    );
    const { rows } = await sql<{ name: string; body: string }>`
      select proname as name, pg_get_functiondef(oid) as body from pg_proc
      where pronamespace = current_schema()::regnamespace and prosrc like '%pg_advisory%'
      order by proname`.execute(store.db);
    const taken = rows.map(({ name, body }) => {
      const calls = [...body.matchAll(/pg_(?:try_)?advisory_(\w+)\(([^)]*)\)/g)];
      return [name, calls.map(([, way, numbers = '']) => [way, names.get(numbers) ?? numbers])];
    });
    assert.deepEqual(Object.fromEntries(taken), {
      holdpoint_place_question: [['xact_lock_shared', 'feed']],
    });
  });
});
