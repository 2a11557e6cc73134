import { sql } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Blocked } from '../../contracts/suspension/view.js';
import type { Store } from '../schema.js';
import { readableBy } from './intent.js';

/**
 * Returns at most 100 things that wait for an open question, each below what it waits for. Intents that the reader
 * may not read are omitted, with their tasks and plans.
 */
export async function listBlocked(
  db: Store,
  suspensionId: string,
  reader?: Reader,
): Promise<readonly Blocked[]> {
  const { rows } = await sql<Blocked>`
    select
      case when plans.record ->> 'workflow' is null then waiting.kind else 'workflow' end as kind,
      waiting.id, waiting.depth,
      coalesce(
        case waiting.kind
          when 'workflow' then waiting.id
          when 'run' then question.record #>> '{approval,proposal,agent}' end,
        tasks.record ->> 'name', plans.record #>> '{workflow,title}', portfolios.record ->> 'name',
        intents.title, ''
      ) as title
    from suspensions question
    cross join lateral holdpoint_waits_of(question.id, ${LIMITS.blocked}::integer) waiting
    left join tasks on waiting.kind = 'task' and tasks.id = waiting.id
    left join plans on waiting.kind = 'plan' and plans.id = waiting.id
    left join portfolios on waiting.kind = 'portfolio' and portfolios.id = waiting.id
    left join intents on intents.id = case waiting.kind
      when 'task' then tasks.intent_id when 'plan' then plans.intent_id
      when 'intent' then waiting.id end
    where question.id = ${suspensionId} and question.state = 'pending'
      and (waiting.kind in ('portfolio', 'run', 'workflow') or ${readableBy(reader)})
    order by waiting.path`.execute(db);
  return rows;
}
