import { sql } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Blocked } from '../../contracts/suspension/view.js';
import { announceFeed } from '../feed/notices.js';
import { wholeStore } from '../in-space.js';
import type { BlocksDueTable } from '../named-tables.js';
import type { Store } from '../schema.js';
import { readableBy } from './access.js';
import { rowsOf } from './upsert.js';
import type { JournalWriter } from './upsert.js';

/** A node that has moved, around which waits are counted again. */
type Moved = Pick<BlocksDueTable, 'kind' | 'id'>;

/** The most questions that one transaction counts, and the most moves it takes: openings wait for its end. */
const AT_ONCE = 25;

/**
 * Returns at most 100 things that wait for an open question, each below what it waits for; none if the question is
 * settled. Intents that the reader may not read are left out, with their tasks and plans.
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

/** Records the moves of a batch in its transaction. */
export const writeMoved: JournalWriter = (db, rows) => {
  const moved = movedIn(rows);
  if (moved.length === 0) return undefined;
  return { query: db.insertInto('blocks_due').values([...moved]), news: () => [] };
};

/** Returns the nodes that a batch has moved: what they wait for may hold up more, or less. */
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

/** The result of one transaction of a count. */
interface Counted {
  /** Whether something is left. */
  readonly remaining: boolean;
  /** How many questions have another count now. */
  readonly changed: number;
}

const COUNT = sql<Counted>`
  select remaining, changed from holdpoint_recount(${sql.lit(AT_ONCE)}::integer)`;

/** How long a writer's count waits for openings and other counts: the writer's own caller waits too. */
const PATIENCE = sql`set local lock_timeout = '500ms'`;

/**
 * Counts again what waits for the open questions around all recorded moves. Returns how many counts have changed. After an
 * error the rest is left for the next call.
 *
 * @param goOn - called between two transactions; false leaves the rest for the next call
 * @param countPart - runs one transaction
 */
export async function recountBlocks(
  db: Store,
  goOn: () => boolean = () => true,
  countPart: (db: Store) => Promise<Counted> = countPatiently,
): Promise<number> {
  for (let all = 0; ;) {
    const { remaining, changed } = await countPart(db);
    all += changed;
    if (!remaining || !goOn()) return all;
  }
}

async function countPatiently(db: Store): Promise<Counted> {
  const { rows } = await COUNT.execute(db);
  return rows[0] ?? { remaining: false, changed: 0 };
}

/** Throws the driver's error if it would have to wait long. */
async function countSoon(db: Store): Promise<Counted> {
  return db.transaction().execute(async (transaction) => {
    await PATIENCE.execute(transaction);
    return countPatiently(transaction);
  });
}

/** The running counts of this process by store, and whether more has moved since. */
const underWay = new WeakMap<Store, { again: boolean }>();

/**
 * Counts again after the commit of a move, and notifies listeners. It waits for one transaction; the rest is counted in the
 * background, as is everything while another count of this process runs. The count only orders lists, so it never makes a
 * writer fail or wait long: errors are left to the next count, or to the reconciler, which reports them.
 */
export async function recountSoon(db: Store): Promise<void> {
  const current = underWay.get(db);
  if (current) {
    current.again = true;
    return;
  }
  return new Promise((resolve) => {
    void recountAll(db, resolve).finally(resolve);
  });
}

/** @param begun - called after the first transaction, if not all is counted then */
async function recountAll(db: Store, begun: () => void): Promise<void> {
  const work = { again: true };
  underWay.set(db, work);
  try {
    while (work.again) {
      work.again = false;
      const goOn = (): boolean => {
        begun();
        return true;
      };
      const changed = await recountBlocks(wholeStore(db), goOn, countSoon);
      if (changed > 0) announceFeed(db);
    }
  } catch {
    // The recorded moves stay for the next count.
  } finally {
    underWay.delete(db);
  }
}
