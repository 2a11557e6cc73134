import { defined } from '../../contracts/constants/defined.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { LinkContent } from '../../contracts/channel/links.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { ButtonContent, ButtonTokens, SlackMember } from '../../contracts/channel/slack.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { Recipient } from '../../domain/directory/directory.js';
import {
  callerByLink,
  checkLink,
  checkPressSuffices,
  personPressing,
} from '../../domain/directory/links.js';
import { sha256Hex } from '../../domain/kernel/hashing.js';
import { validChoices } from '../../domain/suspension/answering/response.js';
import { RefusalError, demand } from '../errors.js';
import type { PartsOf } from '../parts/index.js';
import { isOvertaken } from '../usecases/suspension/links.js';
import { respond, type RespondOutcome } from '../usecases/suspension/respond.js';
import type { Anyway } from './views.js';

export interface SlackDeps {
  readonly partsOf: PartsOf;
  readonly config: Pick<ServerConfig, 'directory' | 'notifications'>;
  readonly tokens: ButtonTokens;
  /** Makes the link of a person; undefined where `public_url` is not configured. */
  readonly makeLink:
    ((content: LinkContent, expiresAt: string | undefined) => Promise<string>) | undefined;
}

interface Deps extends SlackDeps {
  /** Returns the workspace of the bots; null if they belong to several. */
  readonly ownTeam: () => Promise<string | null | undefined>;
}

/** The question of a button as it is now, and the person who pressed it. */
export interface PressedQuestion {
  readonly content: ButtonContent;
  readonly person: Recipient;
  readonly view: SuspensionView;
}

export interface SlackAnswer {
  readonly value: JsonValue;
  readonly data?: JsonObject;
  readonly key: string;
}

/** Finds questions for buttons in Slack, and answers them by the rules of every answer. */
export function createSlackQuestions({ partsOf, config, tokens, makeLink, ownTeam }: Deps) {
  /** Finds the question of a button. Throws the reason if the button is no longer valid. */
  async function find(content: ButtonContent, member: SlackMember): Promise<PressedQuestion> {
    const { space, suspension_id, question_version } = content;
    const { user, team } = member;
    const teams = { team: user.team_id ?? team?.id, own: await ownTeam() };
    const person = demand(personPressing(config.directory, user.id, space, teams));
    const view = (await partsOf(space).reads.getSuspension(suspension_id)).value;
    demand(checkLink(view, { person: person.principal, question_version }));
    return { content, person, view };
  }

  return {
    find,

    /** Throws `sign_in_needed` if a press does not prove enough. */
    demandSuffices({ content, view }: PressedQuestion): void {
      const settings = config.notifications.channels[content.channel];
      const approvals = settings?.type === 'slack' && settings.answers?.approvals === true;
      demand(checkPressSuffices(view.record, content, { approvals }));
    },

    async answer(
      { content, person }: PressedQuestion,
      member: SlackMember,
      { value, data, key }: SlackAnswer,
    ): Promise<RespondOutcome> {
      const { directory } = config;
      if (directory === undefined) throw new RefusalError(NOBODY);
      const { space, channel, choice: _choice, ...shown } = content;
      const answer = defined({ value, data, metadata: { via: channel } });
      const caller = callerByLink(directory, person);
      const known = sha256Hex(['slack', channel, key].join('\0'));
      try {
        const call = { caller, parts: partsOf(space) };
        return await respond.run(call, undefined, { ...shown, ...answer }, `slack:${known}`);
      } catch (error) {
        if (isOvertaken(error)) await find(content, member);
        throw error;
      }
    },

    async pageOf({ content, person, view }: PressedQuestion): Promise<string | undefined> {
      const { space, suspension_id, question_version } = content;
      const link = { space, person: person.principal, suspension_id, question_version };
      return makeLink?.(link, view.record.expires_at);
    },

    /** Returns a button that answers although somebody else has claimed the question. */
    async anyway({ content, view: { record } }: PressedQuestion): Promise<Anyway> {
      const token = await tokens.make({ ...content, despite_claim: true }, record.expires_at);
      const choice = validChoices(record)[content.choice ?? -1];
      return { token, choice, isApproval: record.approval !== undefined };
    },
  };
}
export type SlackQuestions = ReturnType<typeof createSlackQuestions>;

const NOBODY = { code: 'not_answered_for', detail: 'There is no directory.' } as const;
