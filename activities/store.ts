import { log } from '@temporalio/activity';
import type {
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../contracts/announcement.js';
import type { JournalRow } from '../contracts/journal.js';
import type { Ruling } from '../contracts/problem.js';
import type { TaskNews } from '../contracts/task.js';
import type { Activities } from './types.js';

/** Where journal rows go. */
export interface JournalPort {
  readonly write: (rows: readonly JournalRow[]) => Promise<void>;
}

/**
 * The activity that hands journal rows to the store. Its errors propagate and are retried by the
 * workflow for ever; the log tells how many rows of which kind wait, never what is in them.
 */
export function createJournalActivities({ write }: JournalPort): Pick<Activities, 'writeJournal'> {
  return {
    async writeJournal(rows) {
      try {
        await write(rows);
      } catch (error) {
        log.warn('journal rows not written', { rows: rows.length, ...countKinds(rows) });
        throw error;
      }
    },
  };
}

function countKinds(rows: readonly JournalRow[]): Partial<Record<JournalRow['kind'], number>> {
  const counts: Partial<Record<JournalRow['kind'], number>> = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Where the edges of the graph are. */
export interface GraphPorts {
  /** Adds an edge in one transaction, or refuses it. */
  readonly link: (edge: DependencyEdge) => Promise<Ruling<true>>;
}

/**
 * The activity that adds an edge: the store alone sees every edge, so it alone can refuse a cycle. Its
 * errors propagate; the workflow tries it again for a few seconds and then takes the edge back.
 */
export function createGraphActivities({ link }: GraphPorts): Pick<Activities, 'linkDependency'> {
  return {
    async linkDependency(edge) {
      try {
        return await link(edge);
      } catch (error) {
        log.warn('edge not added', { intent_id: edge.intent_id });
        throw error;
      }
    },
  };
}

export interface MemberPorts {
  /** Undefined where the store has not come as far as is asked. */
  readonly read: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
}

/** Reads who belongs to a portfolio; a store that is behind, or away, is tried again by the workflow. */
export function createMemberActivities({ read }: MemberPorts): Pick<Activities, 'readMembers'> {
  return {
    async readMembers(request) {
      const page = await read(request);
      if (page) return page;
      const { portfolio_id, last_sequence } = request;
      throw new Error(`portfolio ${portfolio_id} is not stored up to event ${last_sequence}`);
    },
  };
}

export interface TaskPorts {
  /** What the store has of tasks, those that it has. */
  readonly read: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
}

/** Reads tasks whose workflow has ended; a store that is away is tried again by the workflow. */
export function createTaskActivities({ read }: TaskPorts): Pick<Activities, 'readTasks'> {
  return { readTasks: (taskIds) => read(taskIds) };
}
