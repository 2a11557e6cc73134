import type { RunQuery } from '../../../api/parts/reads/from-store.js';
import { feedEnd } from '../../../store/feed/end.js';
import { writeRows } from '../../../store/journal-writer.js';
import * as agents from '../../../store/queries/people/principal.js';
import * as approvals from '../../../store/queries/approval.js';
import * as checkpoints from '../../../store/queries/checkpoint.js';
import * as coordinators from '../../../store/queries/coordinator.js';
import * as records from '../../../store/queries/records.js';
import * as deliveries from '../../../store/queries/work/deliveries.js';
import * as approvalErasures from '../../../store/queries/erasure/erase-approvals.js';
import * as erasures from '../../../store/queries/erasure/erasure.js';
import * as eventLogs from '../../../store/queries/event-log.js';
import * as graphs from '../../../store/queries/graph.js';
import * as blocks from '../../../store/queries/blocks.js';
import * as inboxes from '../../../store/queries/inbox.js';
import * as intents from '../../../store/queries/intent.js';
import * as plans from '../../../store/queries/plan.js';
import * as portfolios from '../../../store/queries/portfolio.js';
import * as pushes from '../../../store/queries/work/push.js';
import * as quarantine from '../../../store/queries/work/quarantine.js';
import * as engagement from '../../../store/queries/engagement-report.js';
import * as questionFacts from '../../../store/queries/question-facts.js';
import * as personalSettings from '../../../store/queries/people/personal-settings.js';
import * as runLogs from '../../../store/queries/run-log.js';
import * as snoozes from '../../../store/queries/people/snooze.js';
import * as subscriptions from '../../../store/queries/people/subscription.js';
import * as suspensions from '../../../store/queries/suspension.js';
import * as tombstones from '../../../store/queries/erasure/erasure-marks.js';
import * as unsettled from '../../../store/queries/work/unsettled.js';
import { storeState } from '../../../store/migrate.js';
import type { Store } from '../../../store/schema.js';

const QUERIES = {
  ...agents,
  ...approvals,
  ...deliveries,
  ...checkpoints,
  ...coordinators,
  ...records,
  ...approvalErasures,
  ...erasures,
  ...eventLogs,
  ...graphs,
  ...blocks,
  ...inboxes,
  ...intents,
  ...plans,
  ...portfolios,
  ...pushes,
  ...quarantine,
  ...engagement,
  ...questionFacts,
  ...personalSettings,
  ...runLogs,
  ...snoozes,
  ...subscriptions,
  ...suspensions,
  ...tombstones,
  ...unsettled,
  storeState,
  feedEnd,
  writeRows,
};
type Queries = typeof QUERIES;

/** The name under which a query is exported; some are made by functions and have none of their own. */
const NAMES = new Map<unknown, string>(
  Object.entries(QUERIES).map(([name, query]) => [query, name] as const),
);

/** Stand-ins for queries of the store, by their names and without the database. */
export type FakeQueries = {
  readonly [K in keyof Queries]?: Queries[K] extends (db: Store, ...args: infer A) => infer R
    ? (...args: A) => R
    : never;
};

const NO_ROWS = { rows: [], more: false } as const;

const NEVER = { count: 0, p50_seconds: null, p90_seconds: null };
const NOTHING_ASKED = {
  asked: 0,
  open: 0,
  answered: 0,
  denied: 0,
  edited: 0,
  expired: 0,
  cancelled: 0,
  as_expected: 0,
  until_viewed: NEVER,
  until_claimed: NEVER,
  until_answered: NEVER,
};

const KNOWS_NOTHING: FakeQueries = {
  storeState: async () => ({ missing: [], refused_rows: 0 }),
  findCreation: async () => undefined,
  findErasure: async () => undefined,
  findSuspensionErasure: async () => undefined,
  findApproval: async () => undefined,
  isApprovalErased: async () => false,
  approvalsOf: async () => [],
  approvalsNotShown: async () => [],
  approvalOfQuestion: async () => undefined,
  questionsOfApproval: async () => [],
  questionsOfApprovals: async () => [],
  isRemoved: async () => false,
  fateOfQuestion: async () => undefined,
  findIntent: async () => undefined,
  listIntents: async () => ({ ...NO_ROWS, whole: false }),
  findEvents: async () => NO_ROWS,
  listEvents: async () => NO_ROWS,
  eventsInOrder: async () => [],
  logEnd: async () => undefined,
  lastSequences: sequences(() => 0),
  feedEnd: async () => 0,
  quietHoursOf: async () => undefined,
  setQuietHours: async () => undefined,
  idsNotInState: async () => [],
  isMember: async () => false,
  refusedRows: async () => [],
  findPortfolio: async () => undefined,
  findSuspension: async () => undefined,
  findSettled: async () => undefined,
  isSettledHere: async () => false,
  isQuestionId: async () => false,
  findTasks: async () => [],
  findPlans: async () => [],
  countSuspensions: async () => ({ pending: 0, responded: 0, expired: 0, cancelled: 0 }),
  engagementReport: async () => ({ total: NOTHING_ASKED, groups: [], left_out: 0 }),
  noteView: async () => undefined,
  putSnooze: async () => true,
  deleteSnooze: async () => undefined,
  listSnoozes: async () => [],
  putSavedView: async () => 'saved',
  deleteSavedView: async () => undefined,
  listSavedViews: async () => [],
  findAnswer: async () => undefined,
  findRequest: async () => undefined,
  writeRows: async () => [],
};

/** A query that a store was asked. */
export interface StoreCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A store that knows nothing, but for the given queries; it notes in `asked` what it was asked. */
export function fakeStore(queries: FakeQueries = {}, asked: StoreCall[] = []): RunQuery {
  const known: Readonly<Record<string, unknown>> = { ...KNOWS_NOTHING, ...queries };
  return async <A extends readonly unknown[], T>(
    query: (db: Store, ...args: A) => Promise<T>,
    ...args: A
  ) => {
    const name = NAMES.get(query) ?? 'of another module';
    asked.push({ name, args });
    const fake = known[name];
    if (fake === undefined) throw new Error(`unexpected query ${name}`);
    return (fake as (...all: A) => Promise<T>)(...args);
  };
}

/** A store that is another one after so many reads. */
export function afterReads(count: number, first: RunQuery, then: RunQuery): RunQuery {
  let reads = 0;
  return (query, ...args) => (reads++ < count ? first : then)(query, ...args);
}

/** The query for how far the store has come, with an answer for each id. */
export function sequences(
  stored: (id: string) => number,
): NonNullable<FakeQueries['lastSequences']> {
  return async (ids) => new Map(ids.map((id) => [id, stored(id)]));
}
