import type { ServerConfig } from '../../contracts/config.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type {
  LinkAnswer,
  LinkAnswered,
  LinkView,
  OpenLink,
  OpenedLink,
} from '../../contracts/links.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import {
  callerByLink,
  checkLink,
  checkLinkSuffices,
  needsSignIn,
  personOf,
} from '../../domain/directory/links.js';
import type { Recipient } from '../../domain/directory/directory.js';
import { formInContext, proposalOf } from '../../domain/suspension/proposal-to-show.js';
import { released, withoutMetadata } from '../../domain/suspension/redaction.js';
import { RefusalError, demand, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';

interface Deps {
  /** What links need of the gateway of a space. */
  readonly gateways: (space: string) => Pick<Gateway, 'getSuspension' | 'respond'>;
  readonly config: Pick<ServerConfig, 'directory' | 'notifications'>;
  /** Undefined if this installation has no keys for links. */
  readonly open: OpenLink | undefined;
}

/** What the token of a link does; reading consumes nothing. */
export type Links = ReturnType<typeof createLinks>;

/** Refusals after which the question says more of what became of the link. */
const OVERTAKEN: readonly (ErrorCode | undefined)[] = [
  'suspension_settled',
  'already_voted',
  'question_version_mismatch',
];

/** A link whose token was opened, with its question as it stands. */
interface Found {
  readonly link: OpenedLink;
  readonly person: Recipient;
  readonly view: SuspensionView;
}

/** Returns what finds the question of a token, if its link still counts. Throws what became of it otherwise. */
function createFinder({ gateways, config, open }: Deps) {
  async function find(token: string): Promise<Found> {
    const link = await open?.(token);
    if (link === undefined) throw refused('link_invalid', 'No such link was made here.');
    const { content, expires_at } = link;
    const person = demand(personOf(config.directory, content));
    const view = await questionOf(link);
    demand(checkLink(view, content));
    if (!link.expired) return { link, person, view };
    throw new RefusalError({
      code: 'link_expired',
      detail: 'The link has expired.',
      state: { expired_at: expires_at },
    });
  }

  async function questionOf({ content }: OpenedLink): Promise<SuspensionView> {
    try {
      return (await gateways(content.space).getSuspension(content.suspension_id)).value;
    } catch (error) {
      if (refusalOf(error)?.code !== 'suspension_not_found') throw error;
      throw new RefusalError({
        code: 'link_stale',
        detail: 'The question is no longer kept.',
        state: { outcome: 'removed' },
      });
    }
  }

  return find;
}

/** What the links in messages are for: one person reads one question, and answers it as everybody else does. */
export function createLinks(deps: Deps) {
  const { gateways, config } = deps;
  const find = createFinder(deps);
  return {
    /** The question, after the redaction that messages have. */
    async read(token: string): Promise<LinkView> {
      const { link, person, view } = await find(token);
      const { principal, name = principal } = person;
      const needs_sign_in = needsSignIn(view.record, person);
      return {
        person: { principal, name },
        question: shownQuestion(view, config.notifications, needs_sign_in),
        state: 'pending',
        needs_sign_in,
        ...(needs_sign_in && { suspension_id: view.id }),
        link_expires_at: link.expires_at,
      };
    },

    /** The answer of the person, judged as every other; undefined if it is handed over and not judged yet. */
    async answer({ token, ...answer }: LinkAnswer): Promise<LinkAnswered | undefined> {
      const { link, person, view } = await find(token);
      demand(checkLinkSuffices(view.record, person));
      const { directory } = config;
      if (directory === undefined) throw refused('link_invalid', 'There is no directory.');
      const { suspension_id, question_version, space } = link.content;
      const request = { ...withVia(answer), suspension_id, question_version };
      const caller = callerByLink(directory, person);
      try {
        const outcome = await gateways(space).respond(caller, undefined, request);
        if (!outcome.accepted) return undefined;
        const { intent_id: _intent, suspension_id: _suspension, ...result } = outcome.result;
        return result;
      } catch (error) {
        // Somebody else was faster: say who.
        if (OVERTAKEN.includes(refusalOf(error)?.code)) await find(token);
        throw error;
      }
    },
  };
}

function refused(code: ErrorCode, detail: string): RefusalError {
  return new RefusalError({ code, detail });
}

/** Where it was answered, for others who come later. */
function withVia({ metadata, ...answer }: Omit<LinkAnswer, 'token'>) {
  return { ...answer, metadata: { ...metadata, via: 'link' } };
}

function shownQuestion(
  { record, attempt, asked_by, question_version, approvals, required, claim }: SuspensionView,
  { context_keys, personal_data_keys }: ServerConfig['notifications'],
  isReadOnly: boolean,
): LinkView['question'] {
  const { question, text_format, response_type, choices, response_schema } = record;
  const { context, on_behalf_of } = record;
  const rules = { context_keys, personal_data_keys, e2e_encrypted: false };
  // What the form is made of is shown as that form, where it can be filled in.
  const form = isReadOnly ? {} : formInContext(record);
  const explained = { context, ...form, ...proposalOf(record) };
  const { shown, withheld } = released(explained, rules, attempt);
  const fields = form.fields_are_form && context?.['fields'];
  return {
    text: question,
    ...(text_format && { text_format }),
    response_type,
    ...(choices && { choices: choices.map(withoutMetadata) }),
    ...(response_schema && { response_schema }),
    context: shown,
    ...(fields !== undefined && { fields }),
    withheld,
    question_version,
    asked_by,
    ...(on_behalf_of !== undefined && { on_behalf_of }),
    expires_at: record.expires_at ?? null,
    approvals,
    required,
    claim,
  };
}
