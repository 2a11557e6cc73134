import pMap from 'p-map';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { lastSequences } from '../../../store/queries/event-log.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { IntentRows } from '../calls/left-rows.js';
import type { FromStore, WarningLog } from './from-store.js';
import type { Position } from './memories.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { SpaceMemory } from './write-memory.js';

/** So many workflows are asked at once. */
const AT_ONCE = 16;

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<Position>;
  readonly intentRows: Pick<IntentRows, 'collectDue'>;
}

/** Keeps "every read after a 2xx sees that write" for intents, portfolios, coordinators and their events. */
export class Consistency {
  private readonly deps: Deps;
  private readonly writes: ReadYourWrites<Position>;

  constructor(deps: Deps) {
    this.deps = deps;
    this.writes = new ReadYourWrites(deps, {
      missing: (wanted) => this.missing(wanted),
    });
  }

  /**
   * Remembers that this replica wrote to something. `sequence` is that of the write's newest event (of a
   * coordinator, its version); without it the workflow is asked for it later.
   */
  touch(id: string, sequence?: number): void {
    this.writes.touch(id, { sequence });
  }

  /** Remembers a write as `touch` does, and waits, at most 2 s, until the store shows it or fails. */
  async hold(id: string, sequence: number): Promise<void> {
    return this.writes.hold(id, { sequence });
  }

  /** Waits, at most 2 s, for all that was touched before; false where some is not stored. */
  async catchUpAll(): Promise<boolean> {
    return this.writes.catchUp();
  }

  /**
   * Waits, at most 2 s, until the store holds an entity's log as far as its workflow has come.
   * `gone` tells that Temporal no longer knows it. Throws `store_unavailable`.
   */
  async catchUp(
    id: string,
    type: 'intent' | 'portfolio' = 'intent',
  ): Promise<'caught_up' | 'behind' | 'gone'> {
    const asked = await this.deps.temporal.query(workflowIdOf(type, id), positionQuery);
    if (asked.kind === 'gone') return 'gone';
    if (asked.kind === 'no_answer') return 'behind';
    const isStored = await this.writes.comesToShow(id, { sequence: asked.value.last_sequence });
    if (isStored) return 'caught_up';
    // Whoever was to write what the intent left may be gone.
    if (type === 'intent') this.deps.intentRows.collectDue(id);
    return 'behind';
  }

  private async missing(wanted: ReadonlyMap<string, Position>): Promise<readonly string[]> {
    await this.askUnknown(wanted);
    const stored = await this.deps.fromStore(lastSequences, [...wanted.keys()]);
    return [...wanted].flatMap(([id, { sequence = Infinity }]) =>
      (stored.get(id) ?? 0) < sequence ? [id] : [],
    );
  }

  private async askUnknown(wanted: ReadonlyMap<string, Position>): Promise<void> {
    const ask = async ([id, position]: readonly [string, Position]): Promise<void> => {
      const asked = await this.deps.temporal.query(workflowIdOf('intent', id), positionQuery);
      if (asked.kind === 'gone') position.sequence = 0;
      if (asked.kind === 'done') position.sequence = asked.value.last_sequence;
    };
    const unknown = [...wanted].filter(([, { sequence }]) => sequence === undefined);
    await pMap(unknown, ask, { concurrency: AT_ONCE });
  }
}
