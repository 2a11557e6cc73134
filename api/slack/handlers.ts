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
import { privateReply } from './views.js';
import type { Said } from './views.js';
import { FAILED, NO_SUCH_BUTTON } from './words.js';

/** Where an interaction came from: the channels of the configuration for which it was proven to come from Slack. */
export type Channels = readonly string[];

/** What a token says, while it is opened. */
type Opening = Promise<ButtonContent | undefined>;

/** What is done for each kind of interaction. None of it rejects: what nobody expected is logged, and said in other words. */
export function createSlackHandlers({ log, ...deps }: SlackDeps & { readonly log: Logger }) {
  const ports = portsOf(deps, log);
  const questions = createSlackQuestions({ ...deps, ownTeam: () => ownTeam(ports) });

  /** What a token says, if a channel brings it that may. */
  async function contentOf(token: string, channels: Channels): Promise<ButtonContent | undefined> {
    const content = await deps.tokens.open(token);
    return content && channels.includes(content.channel) ? content : undefined;
  }

  /** Slack as the channel of a token reaches it; as any of the others for a token that says nothing. */
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

  /** What is logged of a form that fails in a way that nobody expects. */
  function formFailed(error: unknown): void {
    log.error({ error: traceOf(error) }, 'slack_form_failed');
  }

  return {
    /** Does what a button is for, and says privately what came of it. */
    async pressed(press: SlackPress, token: string, channels: Channels): Promise<void> {
      const opening = contentOf(token, channels);
      const port = await portFor(opening, channels);
      if (port === undefined) return;
      const said = await saidTo(press, token, opening, port);
      if (said === undefined) return;
      await noted(log, () => port.reply(press.response_url, privateReply(said, press)));
    },

    /** A form that was sent. */
    form(submission: SlackSubmission, channels: Channels) {
      const { view: sent } = submission;
      const opening = contentOf(sent.private_metadata, channels);
      return {
        /** Does what it is for. */
        take: () => takeSubmission({ questions, failed: formFailed }, submission, opening),

        /** Shows in its place what came of it. */
        async show(view: JsonObject): Promise<void> {
          const port = await portFor(opening, channels);
          await noted(log, async () => port?.updateView(sent.id, view));
        },
      };
    },
  };
}

/** The workspace of all bots; null if they are of several. */
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
