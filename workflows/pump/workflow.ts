import {
  ParentClosePolicy,
  defineSignal,
  proxyActivities,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Activities } from '../../activities/types.js';
import { FEED_TASK_QUEUE, PUMP } from '../../contracts/constants/names.js';
import { Entity, run, type CarriedBase } from '../engine/run.js';
import { Outbox, Sender, trySignal } from '../engine/sender.js';

export interface PumpInput {
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** There is an active subscription in the store: the pump continues, or looks again before it ends. */
export const keepPumpingSignal = defineSignal('keepPumping');

export type PumpRun = PumpInput & { readonly carried?: CarriedPump };

export interface CarriedPump extends CarriedBase {
  /** Subscriptions have been informed of all events up to this position; null before the first look. */
  readonly after: number | null;
}

/** The SDK records a heartbeat after four fifths of the timeout, so an idle pump costs one action a minute. */
const { wakeSubscriptions } = proxyActivities<Pick<Activities, 'wakeSubscriptions'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '75 seconds',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
  summary: 'wake subscriptions',
});

/**
 * Follows the feed for all subscriptions, and wakes those that an event is for (docs/adr/0033). It runs once, from
 * the first subscription until none is active.
 */
export async function pump(input: PumpRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new PumpEntity(input);
      setHandler(keepPumpingSignal, () => entity.keep());
      return entity;
    },
    cancel(entity) {
      entity.end();
    },
    finish: ({ pumping }) => pumping.stop(),
  });
}

/** Makes sure that the pump runs. Call it once the store has an active subscription. */
export async function startPump(): Promise<void> {
  while (!(await trySignal(PUMP.id, keepPumpingSignal))) {
    try {
      await startChild(PUMP.type, {
        workflowId: PUMP.id,
        args: [{}],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        staticSummary: 'wakes subscriptions',
      });
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }
}

class PumpEntity extends Entity<PumpRun> {
  readonly outbox: Outbox;
  readonly pumping: Pumping;
  private readonly input: PumpRun;
  private ended = false;

  constructor(input: PumpRun) {
    super(input);
    this.input = input;
    this.pumping = new Pumping(this, input.carried?.after);
    this.outbox = new Outbox(this.pumping).start();
  }

  get over(): boolean {
    return this.ended;
  }

  get nextRun(): PumpRun {
    return { ...this.input, carried: { after: this.pumping.after } };
  }

  settleDue(): void {
    // The pump has no clock.
  }

  keep(): void {
    this.measure();
    this.pumping.kept += 1;
  }

  end(): void {
    this.ended = true;
  }
}

/** Runs one activity after the other; each continues where the last one stopped. */
class Pumping extends Sender {
  after: number | null;
  /** How often `keepPumping` was received. */
  kept = 0;
  private readonly entity: PumpEntity;

  constructor(entity: PumpEntity, after: number | null = null) {
    super();
    this.entity = entity;
    this.after = after;
  }

  protected override get ready(): boolean {
    return !this.entity.over && !this.entity.mayMove;
  }

  protected override async sendNext(): Promise<void> {
    const { kept } = this;
    const { after, idle } = await wakeSubscriptions({ after: this.after });
    this.after = after;
    if (idle && this.kept === kept) this.entity.end();
    this.entity.measure();
  }
}
