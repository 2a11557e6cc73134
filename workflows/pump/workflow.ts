import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, setHandler, startChild } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { FEED_TASK_QUEUE, PUMP } from '../../contracts/constants/names.js';
import { Entity, run } from '../engine/run.js';
import type { CarriedBase } from '../engine/run.js';
import { Outbox, Sender, trySignal } from '../engine/sender.js';
import { keepPumpingSignal } from './messages.js';
import type { PumpInput } from './messages.js';

/** What starts a run of the pump. */
export type PumpRun = PumpInput & { readonly carried?: CarriedPump };

/** State that outlives a run. */
export interface CarriedPump extends CarriedBase {
  /** Subscriptions know of all events up to this position; null before the first look. */
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
 * Follows the feed for all subscriptions, and wakes those that an event is for (docs/adr/0033). There is one, from the
 * first subscription on until none is active.
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

/** Sees to it that the pump runs. Call it once the store has an active subscription. */
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
    // It has no clock.
  }

  keep(): void {
    this.measure();
    this.pumping.kept += 1;
  }

  end(): void {
    this.ended = true;
  }
}

/** One activity after the other; each goes on where the last one came to. */
class Pumping extends Sender {
  after: number | null;
  /** How often somebody asked for it. */
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
