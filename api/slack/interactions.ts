import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import {
  slackInteractionSchema,
  type SlackPress,
  type SlackSubmission,
} from '../../contracts/channel/slack.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { inRequest } from '../parts/calls/request.js';
import { createSlackHandlers, type Channels } from './handlers.js';
import { faultyBlock, typedIn } from './form.js';
import type { SlackDeps } from './question.js';
import type { Taken } from './submissions.js';
import { saidView } from './views.js';
import { FAILED, WORKING } from './words.js';

/** Slack waits three seconds for a reply, and shows an error then. */
const PATIENCE_MS = 2_000;
const OURS = 'holdpoint:';

interface Deps extends SlackDeps {
  readonly log: Logger;
  /** Milliseconds after which an unfinished interaction is acknowledged; 2,000 by default. */
  readonly patienceMs?: number;
}

/**
 * Handles interactions of people in Slack, posted or from a socket. Each is acknowledged within two seconds; a longer
 * one goes on, and its outcome is a private reply.
 */
export function createSlackInteractions({ patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const handlers = createSlackHandlers(deps);
  const underWay = new Set<Promise<unknown>>();

  /** Starts the work outside of the request, which may end earlier. */
  function start<T>(work: () => Promise<T>): Promise<T> {
    const done = inRequest(new AbortController().signal, work);
    underWay.add(done);
    const forget = () => underWay.delete(done);
    done.then(forget, forget);
    return done;
  }

  async function press(pressed: SlackPress, channels: Channels): Promise<undefined> {
    const token = pressed.actions.find(({ action_id: id }) => id.startsWith(OURS))?.value;
    if (token === undefined) return undefined;
    const done = start(() => handlers.pressed(pressed, token, channels));
    await within(patienceMs, done);
    return undefined;
  }

  async function submit(submission: SlackSubmission, channels: Channels): Promise<JsonObject> {
    const form = handlers.form(submission, channels);
    const taken = start(() => form.take());
    const first = await within(patienceMs, taken);
    if (first !== undefined) return acknowledged(first);
    void start(async () => form.show((await taken).view));
    const typed = typedIn(submission.view.state.values);
    return { response_action: 'update', view: saidView({ text: WORKING, typed }) };
  }

  /** Acknowledges an interaction of unknown form. A form stays open with its entries, marked as failed. */
  function unknown(payload: unknown): JsonObject | undefined {
    if (!isObject(payload) || (payload as JsonObject)['type'] !== 'view_submission')
      return undefined;
    deps.log.warn('slack_form_failed');
    return { response_action: 'errors', errors: { [faultyBlock([], undefined)]: FAILED } };
  }

  return {
    /** Resolves with the body of the acknowledgement, if it has one. */
    async take(payload: unknown, channels: Channels): Promise<JsonObject | undefined> {
      const { data } = slackInteractionSchema.safeParse(payload);
      if (data === undefined) return unknown(payload);
      return data.type === 'view_submission' ? submit(data, channels) : press(data, channels);
    },

    /** Resolves once no interaction is under way. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
export type SlackInteractions = ReturnType<typeof createSlackInteractions>;

/** Returns the result of some work; undefined if it takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = pause(ms, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

function acknowledged(taken: Taken): JsonObject {
  if ('errors' in taken) return { response_action: 'errors', errors: taken.errors };
  return { response_action: 'update', view: taken.view };
}
