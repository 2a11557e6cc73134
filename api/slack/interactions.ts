import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { JsonObject } from '../../contracts/primitives.js';
import { slackInteractionSchema } from '../../contracts/slack-interaction.js';
import type { SlackPress, SlackSubmission } from '../../contracts/slack-interaction.js';
import type { ButtonContent } from '../../contracts/slack.js';
import { traceOf } from '../../runtime/program.js';
import { inRequest } from '../gateway/calls/request.js';
import { takePress } from './presses.js';
import { createSlackQuestions } from './question.js';
import type { SlackDeps } from './question.js';
import { slackPort } from './slack.js';
import type { SlackPort } from './slack.js';
import { takeSubmission } from './submissions.js';
import type { Taken } from './submissions.js';
import { privateReply, saidView } from './views.js';
import type { Said } from './views.js';
import { FAILED, NO_SUCH_BUTTON, WORKING } from './words.js';

/** Slack waits three seconds for a reply, and shows an error then. */
const PATIENCE_MS = 2_000;
/** What buttons of ours begin their ids with. */
const OURS = 'holdpoint:';

interface Deps extends SlackDeps {
  readonly log: Logger;
  /** Milliseconds after which an interaction is acknowledged although it is not done; 2,000 by default. */
  readonly patienceMs?: number;
}

/** Where an interaction came from: the channels of the configuration for which it was proven to come from Slack. */
type Channels = readonly string[];

/**
 * Takes what people do in Slack, however it comes. Each interaction is acknowledged within two seconds; what takes longer goes
 * on, and its outcome is said privately.
 */
export function createSlackInteractions({ log, patienceMs = PATIENCE_MS, ...deps }: Deps) {
  const questions = createSlackQuestions(deps);
  const ports = portsOf(deps);
  const underWay = new Set<Promise<unknown>>();

  /** Does the work outside of the request, which ends before. */
  function start<T>(work: () => Promise<T>): Promise<T> {
    const done = inRequest(new AbortController().signal, work);
    underWay.add(done);
    const forget = () => underWay.delete(done);
    done.then(forget, forget);
    return done;
  }

  /** What a token says, if a channel brings it that may. */
  async function contentOf(token: string, channels: Channels): Promise<ButtonContent | undefined> {
    const content = await deps.tokens.open(token);
    return content && channels.includes(content.channel) ? content : undefined;
  }

  function portOf(channels: Channels): SlackPort | undefined {
    return channels.flatMap((name) => ports.get(name) ?? [])[0];
  }

  async function pressed(press: SlackPress, token: string, channels: Channels): Promise<void> {
    const port = portOf(channels);
    if (port === undefined) return;
    const said = await saidTo(press, token, channels, port);
    if (said !== undefined) await port.reply(press.response_url, privateReply(said, press));
  }

  async function saidTo(
    press: SlackPress,
    token: string,
    channels: Channels,
    port: SlackPort,
  ): Promise<Said | undefined> {
    try {
      const content = await contentOf(token, channels);
      if (content === undefined) return { text: NO_SUCH_BUTTON };
      return await takePress(questions, { press, token, content, port });
    } catch (error) {
      log.error({ error: traceOf(error) }, 'slack_press_failed');
      return { text: FAILED };
    }
  }

  async function sent(submission: SlackSubmission, channels: Channels): Promise<Taken> {
    try {
      const content = await contentOf(submission.view.private_metadata, channels);
      if (content === undefined) return { view: saidView({ text: NO_SUCH_BUTTON }) };
      return await takeSubmission(questions, submission, content);
    } catch (error) {
      log.error({ error: traceOf(error) }, 'slack_form_failed');
      return { view: saidView({ text: FAILED }) };
    }
  }

  async function takeForm(submission: SlackSubmission, channels: Channels): Promise<JsonObject> {
    const taken = start(() => sent(submission, channels));
    const first = await within(patienceMs, taken);
    if (first !== undefined) return acknowledged(first);
    const later = async () => {
      const { view } = await taken;
      await portOf(channels)?.updateView(submission.view.id, view);
    };
    void start(() => noted(log, later));
    return { response_action: 'update', view: saidView({ text: WORKING }) };
  }

  return {
    /** The body of the acknowledgement, if it has one. */
    async take(payload: unknown, channels: Channels): Promise<JsonObject | undefined> {
      const { data } = slackInteractionSchema.safeParse(payload);
      if (data === undefined) return undefined;
      if (data.type === 'view_submission') return takeForm(data, channels);
      const token = data.actions.find(({ action_id: id }) => id.startsWith(OURS))?.value;
      if (token === undefined) return undefined;
      const done = start(() => noted(log, () => pressed(data, token, channels)));
      await within(patienceMs, done);
      return undefined;
    },

    /** Resolves once nothing is under way. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
export type SlackInteractions = ReturnType<typeof createSlackInteractions>;

function portsOf({ config }: Pick<Deps, 'config'>): ReadonlyMap<string, SlackPort> {
  const channels = Object.entries(config.notifications.channels);
  return new Map(
    channels.flatMap(([name, channel]) =>
      channel.type === 'slack' && channel.answers ? [[name, slackPort(channel)] as const] : [],
    ),
  );
}

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

/** What Slack does not take is only said: the answer itself stands. */
async function noted(log: Logger, saying: () => Promise<void>): Promise<void> {
  try {
    await saying();
  } catch (error) {
    log.warn({ error: traceOf(error) }, 'slack_reply_failed');
  }
}
