import type { QueryDefinition, UpdateDefinition } from '@temporalio/common';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import type { Part } from '../../../store/queries/bounded.js';
import type { CreatedTable } from '../../../store/queries/records.js';
import type { Store } from '../../../store/schema.js';
import type { Created } from '../../../workflows/engine/messages.js';
import type { RefusalError } from '../../errors.js';
import type { Read } from '../caller.js';
import { createLiveWrite } from '../calls/live.js';
import { createOnce } from '../calls/once.js';
import type { Creation } from '../calls/once.js';
import type { Patient } from '../calls/patience.js';
import type { Temporal } from '../calls/temporal.js';
import { listAfter } from '../reads/from-store.js';
import type { FromStore } from '../reads/from-store.js';
import type { Reads } from '../reads/reads.js';

/** The particulars of one kind of thing that has a workflow and a row in the store each. */
export interface Kind<T, C extends Created> {
  readonly type: WorkflowType;
  /** Reads one from its workflow, then from the store. */
  readonly read: (id: string) => Promise<Read<T>>;
  /** Why one whose workflow has ended takes nothing more. */
  readonly refusalOfEnded: (value: T) => RefusalError;
  readonly table: CreatedTable;
  /** Asks a workflow what created it. */
  readonly creation: QueryDefinition<C>;
  /** The reply to a repeated creation; by default it is read. */
  readonly created?: (made: C, id: string) => T | Promise<T>;
  /** The writes of this replica that lists of the store have to show. */
  readonly writes: {
    readonly touch: (id: string, version: number) => void;
    readonly catchUp: () => Promise<boolean>;
  };
}

/** The parts that every kind works with. */
export interface EntityDeps {
  readonly temporal: Temporal;
  readonly patientTemporal: Pick<Temporal, 'query'>;
  readonly patient: Patient;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getIntent'>;
}

/** How things of one kind are read, listed, written and created. */
export function createEntity<T, C extends Created>(deps: EntityDeps, kind: Kind<T, C>) {
  const { temporal, patientTemporal, patient, fromStore, reads } = deps;
  const { type, read, table, creation: definition, writes } = kind;
  const known = patient(read);
  const { created: viewOf = async (_made: C, id: string) => (await known(id)).value } = kind;

  return {
    /** Throws `…_not_found`, `workflow_unavailable` if that cannot be decided, and `store_unavailable`. */
    read,
    /** The same for what a write refers to: it waits as long as a write for one that has just been created. */
    known,
    /** Remembers a write, so that lists wait for it. */
    touch(id: string, version: number): void {
      writes.touch(id, version);
    },
    /**
     * Sends one Update and returns its result. Throws what the workflow refuses with, what `known` throws, the refusal of
     * one that has ended, and `workflow_unavailable` if no worker took it within 10 s: it may still be carried out.
     */
    write<R, A>(
      id: string,
      update: UpdateDefinition<R, [A]>,
      argument: A,
      refusalOfEnded = kind.refusalOfEnded,
    ): Promise<R> {
      const refusal = async (ended: string) => refusalOfEnded((await known(ended)).value);
      return createLiveWrite(temporal, type, refusal)(id, update, argument);
    },
    /** Creates one, or returns what the same key and body created before; see `createOnce`. */
    createOnce(creation: Creation, create: () => Promise<T | 'exists'>): Promise<T> {
      const memory = { temporal: patientTemporal, fromStore };
      return createOnce(memory, creation, { table, definition, create, viewOf, read: known });
    },
    /** Returns what a query lists of an intent, once the store shows what was written here. Throws `intent_not_found`. */
    async listOf<Page, P extends Part<unknown>>(
      query: (db: Store, intentId: string, page: Page) => Promise<P>,
      intentId: string,
      page: Page,
    ) {
      await reads.getIntent(intentId);
      return listAfter(writes.catchUp(), () => fromStore(query, intentId, page));
    },
  };
}
