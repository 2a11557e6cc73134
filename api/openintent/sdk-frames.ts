import type { Reader } from '../../contracts/intent/access.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { isQuestionChange, isRunEvent } from '../../contracts/subscription/feed.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { FeedScope } from '../../contracts/subscription/feed.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { applyPatches } from '../../domain/intent/state-patch.js';
import { frame } from '../feed/frames.js';
import type { FrameWriter } from '../feed/frames.js';
import type { Caller } from '../parts/caller.js';
import { eventFor } from '../usecases/visibility.js';
import { patchesSchema } from './schemas.js';

interface SdkFrame {
  readonly name: string;
  readonly data: JsonObject;
}

/**
 * Writes the feed in the frames that the SDK handles; it fails on any other frame but the first. That one has data, because the
 * SDK forgets the id of a frame without data: an agent that lost the connection before the first event would miss the events
 * in between. The SDK decides how long it waits before it reconnects, because it gives up after a number of tries.
 */
export function sdkFrames(
  caller: Caller,
  reader: Reader | undefined,
  scope: FeedScope,
): FrameWriter {
  return {
    opening: (position) => frame(position, 'connected', {}),
    entry(entry) {
      const { event, owner, guarded } = entry;
      if (isQuestionChange(event) || isRunEvent(event) || !mayRead(reader, guarded, Date.now()))
        return '';
      const shown = frameOf(eventFor(caller, event, owner), scope);
      return shown === undefined ? '' : frame(entry.position, shown.name, shown.data);
    },
    wentBack: () => '',
  };
}

/** Returns the frame for an event, if the SDK gets one. */
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

/** Only the agent itself gets an assignment, for the SDK takes any that it reads for its own. */
function isAssignmentOf({ agent_id, role }: JsonObject, scope: FeedScope): boolean {
  return role !== undefined && scope.kind === 'agent' && scope.id === agent_id;
}

/** A completion has only one frame, because the handlers of the SDK run for each. */
function statusFrame(intent_id: string, status: JsonValue = null): SdkFrame {
  const name = status === 'completed' ? 'INTENT_COMPLETED' : 'STATUS_CHANGED';
  return { name, data: { intent_id, new_status: status, status } };
}

/** Returns the part of the state that patches wrote, as far as they show it; null for a removed key. */
function writtenBy(sent: JsonValue | undefined): JsonObject {
  const { data: patches = [] } = patchesSchema.safeParse(sent);
  const keys = patches.map(({ path }) => path.split('/').find((part) => part !== '') ?? '');
  const touched: JsonObject = Object.fromEntries(keys.map((key) => [key, null]));
  const written = applyPatches({}, patches, { maxBytes: Infinity, slotIsOpen: true });
  return written.ok ? { ...touched, ...written.value } : touched;
}
