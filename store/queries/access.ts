import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { toText } from '../column-values.js';

/**
 * Whether a reader may read an intent: `accessOf` of `domain/policy`, in SQL. Without a reader it is always true.
 *
 * @param intents - the name of the table of intents in the query
 */
export function readableBy(reader: Reader | undefined, intents = 'intents'): RawBuilder<boolean> {
  if (reader === undefined) return sql<boolean>`true`;
  const { own = false } = reader;
  const principal = toText(reader.principal);
  const groups = reader.groups.map(toText);
  const of = (column: string) => sql.ref(`${intents}.${column}`);
  return sql<boolean>`(
    ${of('owner')} is not distinct from ${principal}
    or (not ${own}::boolean and ${of('access')} ->> 'default_policy' is distinct from 'closed')
    or exists (
      select from jsonb_array_elements(${of('access')} -> 'entries') entry
      where (
        case entry ->> 'principal_type' when 'group' then entry ->> 'principal_id' = any(${groups}::text[])
        else entry ->> 'principal_id' = ${principal} end
      ) and (entry ->> 'expires_at' is null or (entry ->> 'expires_at')::timestamptz > now())
    )
    or exists (
      select from suspensions question
      where question.intent_id = ${of('id')} and question.state = 'pending'
        and question.asked_by = ${principal}
    )
  )`;
}
