import { sql } from 'kysely';
import type { Compilable } from 'kysely';
import type { Reader } from '../../contracts/access.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { Blocked } from '../../contracts/suspension-view.js';
import type { BlocksDueTable } from '../named-tables.js';
import type { Store } from '../schema.js';
import { transactTogether } from '../together.js';
import { readableBy } from './access.js';
import { rowsOf } from './upsert.js';
import type { JournalWriter } from './upsert.js';

/** Where something has moved, around which is counted again. */
type Moved = Pick<BlocksDueTable, 'kind' | 'id'>;

/** So much of what has moved is looked at in one transaction. */
const AT_ONCE = 500;

/**
 * What waits for an open question, each below what it waits for, at most 100 things. Nothing waits for one that is settled. To a
 * reader whom access lists narrow, intents that it may not read are left out, with their tasks and plans.
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

/** Leaves in the transaction of a batch around what it has moved the graph. */
export const writeMoved: JournalWriter = (db, rows) => {
  const moved = movedIn(rows);
  if (moved.length === 0) return undefined;
  return { query: db.insertInto('blocks_due').values([...moved]), news: () => [] };
};

/** Around what a batch has moved the graph: what this waits for may hold up more, or less. */
export function movedIn(rows: readonly JournalRow[]): readonly Moved[] {
  const intents = [
    ...rowsOf(rows, 'dependency').map(({ dependency_id }) => dependency_id),
    ...rowsOf(rows, 'portfolio_member').map(({ intent_id }) => intent_id),
    ...rowsOf(rows, 'task').map(({ task }) => task.intent_id),
    ...rowsOf(rows, 'intent').flatMap(({ intent }) =>
      isOver(intent.status) || intent.version === 1 ? intent.depends_on : [],
    ),
  ];
  const portfolios = rowsOf(rows, 'portfolio').flatMap(({ portfolio }) =>
    isOver(portfolio.status) ? [portfolio.id] : [],
  );
  const plans = [
    ...rowsOf(rows, 'plan').map(({ plan }) => plan.id),
    ...rowsOf(rows, 'task').flatMap(({ task }) => task.plan_id ?? []),
  ];
  const questions = rowsOf(rows, 'approval').flatMap(
    ({ approval: { intent_id, suspension_id } }) =>
      intent_id === null || suspension_id === null ? [] : [suspension_id],
  );
  return [
    ...named('intent', intents),
    ...named('portfolio', portfolios),
    ...named('plan', plans),
    ...named('question', questions),
  ];
}

function named(kind: Moved['kind'], ids: readonly string[]): readonly Moved[] {
  return [...new Set(ids)].map((id) => ({ kind, id }));
}

function isOver(status: string): boolean {
  return status === 'completed' || status === 'abandoned';
}

/**
 * Counts again what waits for open questions around which the graph has moved, until nothing is left of that. Returns how
 * many questions have another count now. What fails is left for the next call.
 */
export async function recountBlocks(db: Store): Promise<number> {
  for (let changed = 0; ;) {
    const pass = await recountSome(db);
    changed += pass.changed;
    if (pass.taken < AT_ONCE) return changed;
  }
}

/**
 * One at a time, and none while an opening that has counted is not committed: each sees all that was counted before. What it
 * takes is what it sees, so what others leave meanwhile stays.
 */
async function recountSome(
  db: Store,
): Promise<{ readonly taken: number; readonly changed: number }> {
  const lock = sql`select pg_advisory_xact_lock(1212370020, 2)`;
  const statements = [lock, RECOUNT].map((query): Compilable => ({
    compile: () => query.compile(db),
  }));
  return transactTogether(db, statements, (_transaction, [, counts = []]) => {
    const { taken = 0, changed = 0 } = (counts[0] ?? {}) as { taken?: number; changed?: number };
    return Promise.resolve({ taken, changed });
  });
}

const RECOUNT = sql`
  with recursive taken as (
    delete from blocks_due
    where position in (select position from blocks_due order by position limit ${AT_ONCE}::integer)
    returning kind, id
  ), upstream (id) as (
    (
      select id from taken where kind = 'intent'
      union
      select member.intent_id from taken
      join portfolio_members member on member.portfolio_id = taken.id where taken.kind = 'portfolio'
      union
      select tasks.intent_id from taken
      join tasks on tasks.plan_id = taken.id where taken.kind = 'plan'
    )
    union
    select edge.dependency_id from upstream join dependencies edge on edge.intent_id = upstream.id
    where edge.present
  ), found (id) as (
    select id from suspensions where state = 'pending' and intent_id in (select id from upstream)
    union
    select suspension_id from approvals
    where intent_id in (select id from upstream) and suspension_id is not null
    union
    select id from taken where kind = 'question'
    union
    select asked ->> 'suspension_id' from taken join plans on plans.id = taken.id cross join lateral
      jsonb_array_elements((plans.record -> 'checkpoints') || (plans.record -> 'escalations')) asked
    where taken.kind = 'plan'
  ), counted as (
    select asked.id, holdpoint_blocks(asked) as blocks
    from suspensions asked join found on found.id = asked.id
    where asked.state = 'pending'
  ), changed as (
    update suspensions question set blocks = counted.blocks from counted
    where question.id = counted.id and question.blocks <> counted.blocks
      and question.state = 'pending'
    returning question.id
  )
  select (select count(*)::integer from taken) as taken,
    (select count(*)::integer from changed) as changed`;
