import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  log,
  setHandler,
} from '@temporalio/workflow';
import { isAnnouncement, isPortfolioAnnouncement } from '../../domain/graph/announcement.js';
import { heartbeat } from '../../domain/coordinator/coordinator.js';
import { isEarlier } from '../../domain/kernel/time.js';
import { announcementSignal } from '../engine/messages.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { now, waitUntil } from '../engine/clock.js';
import { demand, refuseMoving } from '../engine/refusals.js';
import { CoordinatorEntity } from './entity.js';
import {
  coordinatorQuery,
  heartbeatUpdate,
  type CoordinatorInput,
  type HeartbeatInput,
} from './messages.js';

/**
 * The lease of a coordinator (RFC-0013 §5): heartbeats renew it, two missed ones make it unresponsive, three
 * more end it. It observes its intent, or the members of
 * its portfolio, and does what its suspension policy says (R26-31 … 34).
 */
export async function coordinator(input: CoordinatorInput): Promise<void> {
  const cancelRequested = watchCancellation(input.carried);
  await CancellationScope.nonCancellable(async () => {
    const entity = new CoordinatorEntity(input);
    register(entity);
    while (!entity.closed) {
      entity.settleDue(now());
      if (cancelRequested()) entity.take({ ...entity.coordinator, status: 'completed' });
      else if (entity.mayMove) await move(entity, input, cancelRequested);
      else await nextTurn(entity, cancelRequested);
    }
    await condition(allHandlersFinished);
    await entity.notes.sent();
    await entity.journal.drained();
  });
}

function register(entity: CoordinatorEntity): void {
  setHandler(
    heartbeatUpdate,
    ({ actor }) => {
      const at = now();
      entity.settleDue(at);
      entity.take(demand(heartbeat(entity.coordinator, actor, at)));
      return entity.coordinator;
    },
    {
      validator: ({ actor }: HeartbeatInput) => {
        refuseMoving(entity.mayMove);
        demand(heartbeat(entity.coordinator, actor, now()));
      },
    },
  );
  setHandler(announcementSignal, (announcement) => {
    entity.settleDue(now());
    if (isAnnouncement(announcement)) entity.observe(announcement);
    else if (isPortfolioAnnouncement(announcement)) entity.membership?.take(announcement);
    else log.warn('announcement_malformed');
  });
  setHandler(coordinatorQuery, () => entity.coordinator);
}

/** One lazy timer: it looks when it fires, and is not armed again at each heartbeat. */
async function nextTurn(entity: CoordinatorEntity, cancelRequested: () => boolean): Promise<void> {
  const armed = entity.nextTurn;
  const turned = () =>
    entity.closed || cancelRequested() || entity.mayMove || isEarlier(entity.nextTurn, armed);
  if (armed === undefined) await condition(turned);
  else await waitUntil(armed, turned, 'heartbeats missed, or lease over');
}

async function move(
  entity: CoordinatorEntity,
  input: CoordinatorInput,
  cancelRequested: () => boolean,
): Promise<void> {
  await condition(allHandlersFinished);
  await entity.journal.stop();
  if (entity.membership) await entity.membership.stop();
  await entity.observing.stop();
  await entity.notes.stop();
  const { coordinator: current } = entity;
  const carried = { ...entity.carried, ...carriedCancellation(cancelRequested) };
  await continueAsNew<typeof coordinator>({ ...input, coordinator: current, carried });
}
