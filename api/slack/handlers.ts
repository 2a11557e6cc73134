import type { Logger } from 'pino';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { ButtonContent, SlackPress, SlackSubmission } from '../../contracts/channel/slack.js';
import { traceOf } from '../../runtime/program.js';
import { takePress, takeSubmission } from './submissions.js';
import { createSlackQuestions, type SlackDeps } from './question.js';
import { slackPort, type SlackPort } from './slack.js';
import { privateReply, type Said } from './views.js';
import { FAILED, NO_SUCH_BUTTON } from './words.js';

/** The channels of the configuration whose signature or connection proves that an interaction comes from Slack. */
export type Channels = readonly string[];

type Opening = Promise<ButtonContent | undefined>;

/** Returns a handler for each kind of interaction. None rejects: errors are logged, and people get a general text. */
export function createSlackHandlers({ log, ...deps }: SlackDeps & { readonly log: Logger }) {
  const ports = portsOf(deps, log);
  const questions = createSlackQuestions({ ...deps, ownTeam: () => ownTeam(ports) });

  /** Returns the content of a token, if it arrived through its own channel. */
  async function contentOf(token: string, channels: Channels): Promise<ButtonContent | undefined> {
    const content = await deps.tokens.open(token);
    return content && channels.includes(content.channel) ? content : undefined;
  }

  /** Returns the connection to Slack of the channel of a token; of any channel for an invalid token. */
  async function portFor(opening: Opening, channels: Channels): Promise<SlackPort | undefined> {
    const content = await opening.catch(() => undefined);
    const named = content === undefined ? channels : [content.channel];
    return named.flatMap((name) => ports.get(name) ?? [])[0];
  }

  async function saidTo(
    press: SlackPress,
    token: string,
    opening: Opening,
    port: SlackPort,
  ): Promise<Said | undefined> {
    try {
      const content = await opening;
      if (content === undefined) return { text: NO_SUCH_BUTTON };
      return await takePress(questions, { press, token, content, port });
    } catch (error) {
      log.error({ error: traceOf(error) }, 'slack_press_failed');
      return { text: FAILED };
    }
  }

  function formFailed(error: unknown): void {
    log.error({ error: traceOf(error) }, 'slack_form_failed');
  }

  return {
    /** Carries out a press of a button, and replies privately with the outcome. */
    async pressed(press: SlackPress, token: string, channels: Channels): Promise<void> {
      const opening = contentOf(token, channels);
      const port = await portFor(opening, channels);
      if (port === undefined) return;
      const said = await saidTo(press, token, opening, port);
      if (said === undefined) return;
      await noted(log, () => port.reply(press.response_url, privateReply(said, press)));
    },

    form(submission: SlackSubmission, channels: Channels) {
      const { view: sent } = submission;
      const opening = contentOf(sent.private_metadata, channels);
      return {
        take: () => takeSubmission({ questions, failed: formFailed }, submission, opening),

        async show(view: JsonObject): Promise<void> {
          const port = await portFor(opening, channels);
          await noted(log, async () => port?.updateView(sent.id, view));
        },
      };
    },
  };
}

/** Returns the workspace of all bots; null if they belong to several. */
async function ownTeam(ports: ReadonlyMap<string, SlackPort>): Promise<string | null | undefined> {
  const teams = new Set(await Promise.all([...ports.values()].map((port) => port.team())));
  return teams.size > 1 ? null : [...teams][0];
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

/** Only logs that Slack refused a reply: the answer itself stands. */
async function noted(log: Logger, saying: () => Promise<void>): Promise<void> {
  try {
    await saying();
  } catch (error) {
    log.warn({ error: traceOf(error) }, 'slack_reply_failed');
  }
}
