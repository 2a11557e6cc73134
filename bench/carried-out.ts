import { WorkflowNotFoundError } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { BenchStack } from './bench-stack.js';
import { rateOf } from './statistics.js';

const LOOK_MS = 15;
const LIMIT_MS = 120_000;

/** What a workflow still has to do, as Temporal describes it. */
export interface Described {
  readonly isOpen: boolean;
  /** Workflow tasks and activities that wait or run. */
  readonly pending: number;
}

/** How many workflows are looked at together. */
const AT_ONCE = 8;

/** Counts the rows that say that work on `$1` is carried out. */
const ROWS = {
  intents: 'select count(*) from intents where id = any($1)',
  'open questions': `select count(*) from suspensions where id = any($1) and question is not null`,
  'reminded questions': 'select count(*) from suspensions where id = any($1) and attempt > 1',
  'settled questions': `select count(*) from suspensions where id = any($1) and state <> 'pending'`,
  'resumed intents': `select count(distinct intent_id) from events
    where intent_id = any($1) and event_type = 'intent.resumed'`,
} as const;

/** Ids of which the store must have the rows. */
export interface Rows {
  readonly of: keyof typeof ROWS;
  readonly ids: readonly string[];
}

/** How often Temporal's server and the store were asked. */
export interface Looks {
  server: number;
  store: number;
}

/**
 * Waits until work is carried out: asks Temporal for what is pending, and the store for its rows, again and
 * again. Nothing is inferred from time.
 */
export class CarriedOut {
  /** How often each was asked so far: what looking has cost is known by it. */
  looks: Looks = { server: 0, store: 0 };
  readonly #bench: BenchStack;
  readonly #pool: pg.Pool;

  constructor(bench: BenchStack) {
    this.#bench = bench;
    this.#pool = new pg.Pool({ connectionString: bench.stack.databaseUrl, max: 2 });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** The intent is in the store, and its workflow at rest. */
  async created(intentId: string): Promise<void> {
    await this.#until('an intent is created', async () => {
      const idle = await this.#rests(workflowIdOf('intent', intentId));
      return idle && this.#has('intents', intentId);
    });
  }

  /** The question is in the store, its notifications are delivered, and whoever asked is at rest. */
  async opened(suspensionId: string, askerWorkflowId?: string): Promise<void> {
    await this.#until('a question is open', async () => {
      const rests = await this.#rests(workflowIdOf('suspension', suspensionId));
      const askerRests = askerWorkflowId === undefined || (await this.#rests(askerWorkflowId));
      return rests && askerRests && this.#has('open questions', suspensionId);
    });
  }

  /** The question has had a second attempt, its notifications are delivered, and whoever asked is at rest. */
  async reminded(suspensionId: string, askerWorkflowId?: string): Promise<void> {
    await this.rows({ of: 'reminded questions', ids: [suspensionId] });
    await this.opened(suspensionId, askerWorkflowId);
  }

  /** The question's workflow has ended, and its outcome is in the store. */
  async settled(suspensionId: string): Promise<void> {
    await this.#until('a question is settled', async () => {
      const { isOpen } = await this.#describe(workflowIdOf('suspension', suspensionId));
      return !isOpen && this.#has('settled questions', suspensionId);
    });
  }

  /** The intent goes on, its workflow is at rest, and the store has the event that says so. */
  async resumed(intentId: string): Promise<void> {
    await this.#until('an intent goes on', async () => {
      const rests = await this.#rests(workflowIdOf('intent', intentId));
      return rests && this.#has('resumed intents', intentId);
    });
  }

  async ended(workflowId: string): Promise<void> {
    await this.#until('a workflow has ended', async () => {
      return !(await this.#describe(workflowId)).isOpen;
    });
  }

  /** The store has a row for each of the ids. */
  async rows(rows: Rows): Promise<void> {
    const count = rows.ids.length;
    const isThere = async () => (await this.#rowsOf(rows)) === count;
    await this.#until(`the store has ${count} ${rows.of}`, isThere);
  }

  /** All of these workflows are at rest, or have ended. */
  async allAtRest(workflowIds: readonly string[]): Promise<void> {
    await rateOf(workflowIds.length, AT_ONCE, (index) =>
      this.#until('a workflow is at rest', () => this.#rests(workflowIds[index] ?? '')),
    );
  }

  /** All of these workflows have ended. */
  async allEnded(workflowIds: readonly string[]): Promise<void> {
    await rateOf(workflowIds.length, AT_ONCE, (index) => this.ended(workflowIds[index] ?? ''));
  }

  /** One look at a workflow, or at the store, to know what it costs. */
  async look(at: keyof Looks, suspensionId: string): Promise<void> {
    if (at === 'server') await this.#rests(workflowIdOf('suspension', suspensionId));
    else await this.#has('open questions', suspensionId);
  }

  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + LIMIT_MS;
    while (!(await isTrue())) {
      if (Date.now() > deadline) throw new Error(`${LIMIT_MS / 1_000} s passed before ${what}`);
      await pause(LOOK_MS);
    }
  }

  async #rests(workflowId: string): Promise<boolean> {
    return (await this.#describe(workflowId)).pending === 0;
  }

  async #describe(workflowId: string): Promise<Described> {
    this.looks.server += 1;
    try {
      const handle = this.#bench.temporal.workflow.getHandle(workflowId);
      const { raw, status } = await handle.describe();
      const { pendingActivities, pendingWorkflowTask } = raw;
      return {
        isOpen: status.name === 'RUNNING',
        pending: (pendingActivities?.length ?? 0) + (pendingWorkflowTask ? 1 : 0),
      };
    } catch (error) {
      // A child that its parent has asked for may not be there yet.
      if (error instanceof WorkflowNotFoundError) return { isOpen: true, pending: 1 };
      throw error;
    }
  }

  async #has(rows: Rows['of'], id: string): Promise<boolean> {
    return (await this.#rowsOf({ of: rows, ids: [id] })) === 1;
  }

  async #rowsOf({ of, ids }: Rows): Promise<number> {
    this.looks.store += 1;
    const { rows } = await this.#pool.query<{ count: string }>(ROWS[of], [ids]);
    return Number(rows[0]?.count);
  }
}
