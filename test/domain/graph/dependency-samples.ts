import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import {
  dependencyMove,
  takeDependency,
  type Upstream,
} from '../../../domain/graph/dependencies.js';

export const NOTHING: Upstream = { known: [], waits: false };
export const AT = '2026-01-01T00:00:00.000Z';

export function says(
  intent_id: string,
  version: number,
  status: IntentStatus,
  holds = 0,
): Announcement {
  const held = status === 'suspended_awaiting_input';
  return { intent_id, version, last_sequence: version, status, held, holds, suspension: null };
}

/** Returns what a dependent of them all knows after these announcements. */
export function after(...all: readonly Announcement[]): Upstream {
  const ids = [...new Set(all.map(({ intent_id }) => intent_id))];
  return all.reduce((upstream, one) => takeDependency(upstream, ids, one), NOTHING);
}

export const moveOf = (status: IntentStatus, blockedByRule: boolean, { waits }: Upstream) =>
  dependencyMove(status, blockedByRule, waits);
