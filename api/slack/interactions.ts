import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { JsonObject } from '../../contracts/primitives.js';
import { slackInteractionSchema } from '../../contracts/slack-interaction.js';
import type { SlackPress, SlackSubmission } from '../../contracts/slack-interaction.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { inRequest } from '../gateway/calls/request.js';
import { createSlackHandlers } from './handlers.js';
import type { Channels } from './handlers.js';
import { faultyBlock, typedIn } from './form.js';
import type { SlackDeps } from './question.js';
import type { Taken } from './submissions.js';
import { saidView } from './views.js';
import { FAILED, WORKING } from './words.js';

/** Slack waits three seconds for a reply, and shows an error then. */
const PATIENCE_MS = 2_000;
/** What buttons of ours begin their ids with. */
const OURS = 'holdpoint:';

interface Deps extends SlackDeps {
  readonly log: Logger;
  /** Milliseconds after which an interaction is acknowledged although it is not done; 2,000 by default. */
  readonly patienceMs?: number;
}

/**
 * Takes what people do in Slack, however it comes. Each interaction is acknowledged within two seconds; what takes longer goes
 * on, and its outcome is said privately.
 */
export function createSlackInteractions({ patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const handlers = createSlackHandlers(deps);
  const underWay = new Set<Promise<unknown>>();

  /** Does the work outside of the request, which ends before. */
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

  /** What is not understood is acknowledged; a form stays open with what was entered, as one that was not taken. */
  function unknown(payload: unknown): JsonObject | undefined {
    if (!isObject(payload) || (payload as JsonObject)['type'] !== 'view_submission')
      return undefined;
    deps.log.warn('slack_form_failed');
    return { response_action: 'errors', errors: { [faultyBlock([], undefined)]: FAILED } };
  }

  return {
    /** The body of the acknowledgement, if it has one. */
    async take(payload: unknown, channels: Channels): Promise<JsonObject | undefined> {
      const { data } = slackInteractionSchema.safeParse(payload);
      if (data === undefined) return unknown(payload);
      return data.type === 'view_submission' ? submit(data, channels) : press(data, channels);
    },

    /** Resolves once nothing is under way. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
export type SlackInteractions = ReturnType<typeof createSlackInteractions>;

/** What comes of some work if that is soon; undefined otherwise. */
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
