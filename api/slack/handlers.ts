import type { Logger } from 'pino';
import type { JsonObject } from '../../contracts/primitives.js';
import type { SlackPress, SlackSubmission } from '../../contracts/slack-interaction.js';
import type { ButtonContent } from '../../contracts/slack.js';
import { traceOf } from '../../runtime/program.js';
import { takePress } from './presses.js';
import { createSlackQuestions } from './question.js';
import type { SlackDeps } from './question.js';
import { slackPort } from './slack.js';
import type { SlackPort } from './slack.js';
import { takeSubmission } from './submissions.js';
import type { Taken } from './submissions.js';
import { privateReply, saidView } from './views.js';
import type { Said } from './views.js';
import { FAILED, NO_SUCH_BUTTON } from './words.js';

/** Where an interaction came from: the channels of the configuration for which it was proven to come from Slack. */
export type Channels = readonly string[];

/** What is done for each kind of interaction. None of it rejects: what nobody expected is logged, and said in other words. */
export function createSlackHandlers({ log, ...deps }: SlackDeps & { readonly log: Logger }) {
  const questions = createSlackQuestions(deps);
  const ports = portsOf(deps, log);

  /** What a token says, if a channel brings it that may. */
  async function contentOf(token: string, channels: Channels): Promise<ButtonContent | undefined> {
    const content = await deps.tokens.open(token);
    return content && channels.includes(content.channel) ? content : undefined;
  }

  /** Slack as the channel of a token reaches it; as any of the others for a token that says nothing. */
  async function portFor(token: string, channels: Channels): Promise<SlackPort | undefined> {
    const content = await contentOf(token, channels).catch(() => undefined);
    const named = content === undefined ? channels : [content.channel];
    return named.flatMap((name) => ports.get(name) ?? [])[0];
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

  return {
    /** Does what a button is for, and says privately what came of it. */
    async pressed(press: SlackPress, token: string, channels: Channels): Promise<void> {
      const port = await portFor(token, channels);
      if (port === undefined) return;
      const said = await saidTo(press, token, channels, port);
      if (said === undefined) return;
      await noted(log, () => port.reply(press.response_url, privateReply(said, press)));
    },

    /** Does what a form is for. */
    async sent(submission: SlackSubmission, channels: Channels): Promise<Taken> {
      try {
        const content = await contentOf(submission.view.private_metadata, channels);
        if (content === undefined) return { view: saidView({ text: NO_SUCH_BUTTON }) };
        return await takeSubmission(questions, submission, content);
      } catch (error) {
        log.error({ error: traceOf(error) }, 'slack_form_failed');
        return { view: saidView({ text: FAILED }) };
      }
    },

    /** Shows in a modal what came of it. */
    async show({ view: sent }: SlackSubmission, view: JsonObject, channels: Channels) {
      const port = await portFor(sent.private_metadata, channels);
      await noted(log, async () => port?.updateView(sent.id, view));
    },
  };
}

function portsOf(
  { config }: Pick<SlackDeps, 'config'>,
  log: Logger,
): ReadonlyMap<string, SlackPort> {
  const channels = Object.entries(config.notifications.channels);
  return new Map(
    channels.flatMap(([name, channel]) =>
      channel.type === 'slack' && channel.answers
        ? [[name, noting(slackPort(channel), log)] as const]
        : [],
    ),
  );
}

/** The same port, with a note of each modal that Slack does not open. */
function noting(port: SlackPort, log: Logger): SlackPort {
  return {
    ...port,
    async openView(...args) {
      try {
        await port.openView(...args);
      } catch (error) {
        log.warn({ error: traceOf(error) }, 'slack_reply_failed');
        throw error;
      }
    },
  };
}

/** What Slack does not take is only said: the answer itself stands. */
async function noted(log: Logger, saying: () => Promise<void>): Promise<void> {
  try {
    await saying();
  } catch (error) {
    log.warn({ error: traceOf(error) }, 'slack_reply_failed');
  }
}
