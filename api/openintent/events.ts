import { defined } from '../../contracts/constants/defined.js';
import { KNOWN_EVENT_TYPES } from '../../contracts/constants/events.js';
import { checkPostedType } from '../../domain/policy/posted-events.js';
import type { Binding, RouteCall } from '../http/route.js';
import { appendEvent, listEvents, listPortfolioEvents } from '../usecases/event/events.js';
import { bodyError } from './errors.js';
import { entriesOf, openIntentRoute } from './route.js';
import {
  eventQuery,
  eventSchema,
  idSchema,
  optionalName,
  pageQuery,
  patchesSchema,
} from './schemas.js';
import { wireEvent, withNaiveTimes, withZone } from './wire.js';
import type { Reader } from '../../contracts/intent/access.js';
import { mayRead } from '../../domain/policy/access-list.js';
import { isQuestionChange, isRunEvent, type FeedScope } from '../../contracts/subscription/feed.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { applyPatches } from '../../domain/intent/state-patch.js';
import { frame, sendFeed, type FrameWriter } from '../feed/stream.js';
import type { Caller } from '../parts/caller.js';
import { eventFor, readerFor } from '../usecases/visibility.js';
import {
  zonelessInstantSchema,
  type JsonObject,
  type JsonValue,
} from '../../contracts/kernel/primitives.js';
import {
  subscribeRequestSchema,
  type Subscription,
} from '../../contracts/subscription/subscription.js';
import { refusalOf } from '../errors.js';
import {
  subscribeToAgent,
  subscribeToIntent,
  subscribeToPortfolio,
} from '../usecases/event/stream.js';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
} from '../usecases/subscription/subscriptions.js';

/** Logs, newest first and without events that the SDK cannot read; and an event of the agent's own. */
export const EVENT_ROUTES: readonly Binding[] = [
  openIntentRoute(listEvents, 'GET /intents/:intentId/events', {
    query: eventQuery,
    async handle({ run, id, query: { event_type: type, since, ...page } }) {
      const known = KNOWN_EVENT_TYPES.filter((each) => type === undefined || each === type);
      if (known.length === 0) return [];
      const from = since === undefined ? {} : { since: withZone(since) };
      const events = await run(id('intentId'), { ...page, ...from, event_types: known });
      return entriesOf(events, page).map(wireEvent);
    },
  }),
  openIntentRoute(appendEvent, 'POST /intents/:intentId/events', {
    body: eventSchema,
    actor: ({ actor }) => actor,
    async handle({ run, id, body: { event_type, payload, trace_id, parent_event_id } }) {
      const may = checkPostedType(event_type);
      if (!may.ok) throw bodyError(['event_type'], may.refusal.detail, event_type);
      const tracing = defined({ trace_id, parent_event_id });
      return wireEvent(await run(id('intentId'), event_type, payload, tracing));
    },
  }),
  openIntentRoute(listPortfolioEvents, 'GET /portfolios/:portfolioId/events', {
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, event_types: KNOWN_EVENT_TYPES };
      return entriesOf(await run(id('portfolioId'), page), query).map(wireEvent);
    },
  }),
];

interface SdkFrame {
  readonly name: string;
  readonly data: JsonObject;
}

/**
 * Writes the feed in the frames that the SDK handles; it fails on others. The first frame has data, because the SDK
 * forgets the id of a frame without. None sets `retry`, because the SDK limits its tries.
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

/** Whether an assignment is for this agent: the SDK takes every assignment that it reads for its own. */
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

const POSITION = /^\d{1,15}$/;

/**
 * Sends the feed as the SDK reads it. An id that this feed cannot have sent is ignored: after a refusal the SDK would
 * ask again at once and for ever.
 */
async function stream(call: RouteCall, scope: FeedScope) {
  const { req, res, caller, feed, longPolls } = call;
  const lastId = req.get('Last-Event-ID') ?? '';
  const after = POSITION.test(lastId) ? Number(lastId) : undefined;
  const gone = longPolls.signalFor(res, 'streams');
  const subscription = { res, frames: sdkFrames(caller, readerFor(call), scope), scope, gone };
  try {
    await sendFeed(feed, { ...subscription, after });
  } catch (error) {
    if (refusalOf(error)?.code !== 'invalid_request' || after === undefined) throw error;
    await sendFeed(feed, { ...subscription, after: undefined });
  }
}

/** The streams that the SDK opens, over the same feed as those of `/v1`. */
export const STREAM_ROUTES: readonly Binding[] = [
  openIntentRoute(subscribeToAgent, 'GET /agents/:agent/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('agent'))),
  }),
  openIntentRoute(subscribeToIntent, 'GET /intents/:intentId/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('intentId'))),
  }),
  openIntentRoute(subscribeToPortfolio, 'GET /portfolios/:portfolioId/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('portfolioId'))),
  }),
];

const subscribeSchema = subscribeRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
  subscriber_id: optionalName,
  expires_at: zonelessInstantSchema.transform(withZone).optional(),
});

/** Returns a subscription as the SDK parses it: it reads the times under names in camel case. */
function wireSubscription<T extends Subscription>(subscription: T) {
  const shown = withNaiveTimes(subscription, ['created_at', 'expires_at', 'ended_at']);
  return { ...shown, createdAt: shown.created_at, expiresAt: shown.expires_at };
}

export const SUBSCRIPTION_ROUTES: readonly Binding[] = [
  openIntentRoute(createSubscription, 'POST /subscriptions', {
    body: subscribeSchema,
    handle: async ({ run, body: { subscriber_id, ...request } }) =>
      wireSubscription(await run(defined({ ...request, subscriber_id }))),
  }),
  openIntentRoute(listSubscriptions, 'GET /subscriptions', {
    query: pageQuery.extend({
      intent_id: idSchema.optional(),
      portfolio_id: idSchema.optional(),
    }),
    handle: async ({ run, query }) => ({
      subscriptions: entriesOf(await run(query), query).map(wireSubscription),
    }),
  }),
  openIntentRoute(deleteSubscription, 'DELETE /subscriptions/:subscriptionId', {
    async handle({ run, id }) {
      await run(id('subscriptionId'));
      return { message: 'Subscription removed' };
    },
  }),
];
