import type { Reader } from '../../contracts/access.js';
import { isRunEvent } from '../../domain/approval/run-event.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { isQuestionChange } from '../../domain/suspension/change.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { FeedScope } from '../../contracts/feed.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { applyPatches } from '../../domain/intent/state-patch.js';
import type { FrameWriter } from '../feed/frames.js';
import type { Caller } from '../gateway/caller.js';
import { eventFor } from '../operations/visibility.js';
import { patchesSchema } from './schemas.js';

interface SdkFrame {
  readonly name: string;
  readonly data: JsonObject;
}

/**
 * The feed in the frames that the SDK handles; it fails on any other but the first. That one has data,
 * because the SDK forgets the id of a frame without data. An agent that loses the connection before the first
 * event would otherwise miss what comes meanwhile. The SDK decides how long it waits before it reconnects,
 * because it gives up after a number of tries.
 */
export function sdkFrames(
  caller: Caller,
  reader: Reader | undefined,
  scope: FeedScope,
): FrameWriter {
  return {
    opening: (position) => frame(position, { name: 'connected', data: {} }),
    entry(entry) {
      const { event, owner, guarded } = entry;
      if (isQuestionChange(event) || isRunEvent(event) || !mayRead(reader, guarded, Date.now()))
        return '';
      const shown = frameOf(eventFor(caller, event, owner), scope);
      return shown === undefined ? '' : frame(entry.position, shown);
    },
  };
}

function frame(position: number, { name, data }: SdkFrame): string {
  return `id: ${position}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The frame that the SDK gets for an event, if any. */
function frameOf(
  { event_type, intent_id, claimed, payload }: IntentEvent,
  scope: FeedScope,
): SdkFrame | undefined {
  switch (event_type) {
    case 'agent_assigned':
      return claimed !== true && isAssignmentOf(payload, scope)
        ? { name: 'AGENT_ASSIGNED', data: { ...payload, intent_id } }
        : undefined;
    case 'status_changed':
      return statusFrame(intent_id, payload['status']);
    case 'intent.suspended':
      return statusFrame(intent_id, 'suspended_awaiting_input');
    case 'intent.resumed':
      return statusFrame(intent_id, 'active');
    case 'state_patched': {
      const new_state = writtenBy(payload['patches']);
      return { name: 'STATE_CHANGED', data: { intent_id, old_state: {}, new_state } };
    }
    case 'lease_released':
      return { name: 'LEASE_RELEASED', data: { intent_id, scope: payload['scope'] ?? null } };
    default:
      return undefined;
  }
}

/** Only the agent itself gets it, for the SDK takes any assignment it reads for its own. */
function isAssignmentOf({ agent_id, role }: JsonObject, scope: FeedScope): boolean {
  return role !== undefined && scope.kind === 'agent' && scope.id === agent_id;
}

/** A completion has one frame: the SDK's handlers would run for each. */
function statusFrame(intent_id: string, status: JsonValue = null): SdkFrame {
  const name = status === 'completed' ? 'INTENT_COMPLETED' : 'STATUS_CHANGED';
  return { name, data: { intent_id, new_status: status, status } };
}

/** The part of the state that patches wrote, as far as they show it; null for a key that is removed. */
function writtenBy(sent: JsonValue | undefined): JsonObject {
  const { data: patches = [] } = patchesSchema.safeParse(sent);
  const keys = patches.map(({ path }) => path.split('/').find((part) => part !== '') ?? '');
  const touched: JsonObject = Object.fromEntries(keys.map((key) => [key, null]));
  const written = applyPatches({}, patches, { maxBytes: Infinity, slotIsOpen: true });
  return written.ok ? { ...touched, ...written.value } : touched;
}
