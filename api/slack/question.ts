import type { ServerConfig } from '../../contracts/config.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { LinkContent } from '../../contracts/links.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { ButtonContent, ButtonTokens } from '../../contracts/slack.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SlackPress, SlackSubmission } from '../../contracts/slack-interaction.js';
import type { Recipient } from '../../domain/directory/directory.js';
import { callerByLink, checkLink } from '../../domain/directory/links.js';
import { checkPressSuffices, personPressing } from '../../domain/directory/presses.js';
import { sha256Hex } from '../../domain/kernel/hashing.js';
import { validChoices } from '../../domain/suspension/response.js';
import { RefusalError, demand, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import type { RespondOutcome } from '../gateway/suspension/answers.js';
import type { Anyway } from './views.js';

/** What answers in Slack are given with. */
export interface SlackDeps {
  /** What answers need of the gateway of a space. */
  readonly gateways: (space: string) => Pick<Gateway, 'getSuspension' | 'respond'>;
  readonly config: Pick<ServerConfig, 'directory' | 'notifications'>;
  readonly tokens: ButtonTokens;
  /** Makes the link of a person; undefined where `public_url` is not configured. */
  readonly makeLink:
    ((content: LinkContent, expiresAt: string | undefined) => Promise<string>) | undefined;
}

interface Deps extends SlackDeps {
  /** The workspace of the bots; null if they are of several. */
  readonly ownTeam: () => Promise<string | null | undefined>;
}

/** The question of a button, as it stands, and who has pressed it. */
export interface PressedQuestion {
  readonly content: ButtonContent;
  readonly person: Recipient;
  readonly view: SuspensionView;
}

/** What is answered, and by what it is known when it comes again. */
export interface SlackAnswer {
  readonly value: JsonValue;
  /** What comes with a choice. */
  readonly data?: JsonObject;
  readonly key: string;
}

/** Who does something in Slack: an id that counts within its workspace. */
export type SlackMember = Pick<SlackPress | SlackSubmission, 'user' | 'team'>;

/** Refusals after which the question says more of what became of it. */
const OVERTAKEN: readonly (ErrorCode | undefined)[] = [
  'suspension_settled',
  'already_voted',
  'question_version_mismatch',
];

/** What of a question can be done in Slack: it is found, and answered as everywhere else. */
export function createSlackQuestions({ gateways, config, tokens, makeLink, ownTeam }: Deps) {
  /** Throws what became of the button, if it does not count any more. */
  async function find(content: ButtonContent, member: SlackMember): Promise<PressedQuestion> {
    const { space, suspension_id, question_version } = content;
    const { user, team } = member;
    const teams = { team: user.team_id ?? team?.id, own: await ownTeam() };
    const person = demand(personPressing(config.directory, user.id, space, teams));
    const view = (await gateways(space).getSuspension(suspension_id)).value;
    demand(checkLink(view, { person: person.principal, question_version }));
    return { content, person, view };
  }

  return {
    find,

    /** Throws `sign_in_needed` where a press is not enough. */
    demandSuffices({ content, view }: PressedQuestion): void {
      const settings = config.notifications.channels[content.channel];
      const approvals = settings?.type === 'slack' && settings.answers?.approvals === true;
      demand(checkPressSuffices(view.record, content, { approvals }));
    },

    /** The answer of the person, judged as every other. */
    async answer(
      { content, person }: PressedQuestion,
      member: SlackMember,
      { value, data, key }: SlackAnswer,
    ): Promise<RespondOutcome> {
      const { directory } = config;
      if (directory === undefined) throw new RefusalError(NOBODY);
      const { space, channel, choice: _choice, ...shown } = content;
      const answer = { value, ...(data && { data }), metadata: { via: channel } };
      const caller = callerByLink(directory, person);
      const known = sha256Hex(['slack', channel, key].join('\0'));
      try {
        return await gateways(space).respond(
          caller,
          undefined,
          { ...shown, ...answer },
          `slack:${known}`,
        );
      } catch (error) {
        // Somebody else was faster: say who.
        if (OVERTAKEN.includes(refusalOf(error)?.code)) await find(content, member);
        throw error;
      }
    },

    /** The page of the person, where the question can be answered too. */
    async pageOf({ content, person, view }: PressedQuestion): Promise<string | undefined> {
      const { space, suspension_id, question_version } = content;
      const link = { space, person: person.principal, suspension_id, question_version };
      return makeLink?.(link, view.record.expires_at);
    },

    /** The same button once more, for whoever answers although somebody else has claimed the question. */
    async anyway({ content, view: { record } }: PressedQuestion): Promise<Anyway> {
      const token = await tokens.make({ ...content, despite_claim: true }, record.expires_at);
      const choice = validChoices(record)[content.choice ?? -1];
      return { token, choice, isApproval: record.approval !== undefined };
    },
  };
}
export type SlackQuestions = ReturnType<typeof createSlackQuestions>;

const NOBODY = { code: 'not_answered_for', detail: 'There is no directory.' } as const;
