import { setHandler } from '@temporalio/workflow';
import type { Announced } from '../../contracts/graph/announcement.js';
import { heartbeat } from '../../domain/coordinator/coordinator.js';
import { isAnnouncement, isPortfolioAnnouncement } from '../../domain/graph/announcement.js';
import { now } from '../engine/clock.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { announcementSignal, creationQuery } from '../engine/messages.js';
import { run } from '../engine/run.js';
import type { CoordinatorRun } from './entity.js';
import { CoordinatorEntity } from './entity.js';
import { coordinatorQuery, heartbeatUpdate } from './messages.js';

/**
 * The lease of a coordinator (RFC-0013 §5): heartbeats renew it, two missed ones make it unresponsive, three
 * more end it. It observes its intent, or the members of its portfolio, and does what its suspension policy says
 * (R26-31 … 34).
 */
export async function coordinator(input: CoordinatorRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new CoordinatorEntity(input);
      registerHandlers(entity);
      return entity;
    },
    cancel(entity) {
      entity.take({ ...entity.coordinator, status: 'completed' });
    },
  });
}

function registerHandlers(entity: CoordinatorEntity): void {
  onWrite(
    entity,
    heartbeatUpdate,
    'Say that the coordinator is alive',
    ({ by }) => demand(heartbeat(entity.coordinator, by, now())),
    ({ by }) => {
      entity.take(demand(heartbeat(entity.coordinator, by, now())));
      return entity.coordinator;
    },
  );
  onSignal(announcementSignal, isAnnounced, (announcement) => {
    entity.settleDue();
    if (isAnnouncement(announcement)) entity.observe(announcement);
    else entity.membership?.take(announcement);
  });
  setHandler(coordinatorQuery, () => entity.coordinator);
  setHandler(creationQuery, () => entity.creation);
}

function isAnnounced(message: unknown): message is Announced {
  return isAnnouncement(message) || isPortfolioAnnouncement(message);
}
