import { defined } from '../../../contracts/constants/defined.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import type {
  LinkAnswer,
  LinkAnswered,
  LinkView,
  OpenedLink,
} from '../../../contracts/channel/links.js';
import type { ServerConfig } from '../../../contracts/server/config.js';
import type { RespondResult, SuspensionView } from '../../../contracts/suspension/view.js';
import type { Recipient } from '../../../domain/directory/directory.js';
import {
  callerByLink,
  checkLink,
  checkLinkSuffices,
  needsSignIn,
  personAnsweredFor,
  personOf,
} from '../../../domain/directory/links.js';
import { formInContext, proposalOf } from '../../../domain/suspension/asking/context.js';
import { waitsFor } from '../../../domain/suspension/people/rights.js';
import { released, withoutMetadata } from '../../../domain/suspension/telling/redaction.js';
import { demand, refusalOf, type RefusalError } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { refused } from '../../parts/refusals.js';
import { READ, WRITE, useCase, type Call, type Services } from '../usecase.js';
import { ANSWER_REFUSALS, respond } from './respond.js';
import { Webhook } from 'standardwebhooks';
import type { FromSlack } from '../../../contracts/channel/slack.js';
import type {
  OpenAnswer,
  SignedMessage,
  WebhookAnswer,
} from '../../../contracts/channel/webhook-answer.js';

/*
 * The links in messages: one person reads one question, and answers it by the rules of every answer. The token in the
 * link is the proof, so no key is needed.
 */

const LINK_REFUSALS = [
  'link_invalid',
  'link_used',
  'link_stale',
  'link_expired',
  'invalid_request',
  'too_many_requests',
] as const;

/** Returns the question of a link, redacted like a message. */
export const readLink = useCase({
  name: 'readLink',
  resource: 'suspension',
  refusals: [...LINK_REFUSALS, ...READ],
  async run(call: Call & Services, token: string): Promise<LinkView> {
    const { link, person, view } = await find(call, token);
    const { principal, name = principal } = person;
    const needs_sign_in = needsSignIn(view.record, person);
    const { directory } = call.config;
    if (directory !== undefined && waitsFor(callerByLink(directory, person), view)) {
      call.partsOf(link.content.space).seen(view.id);
    }
    return {
      person: { principal, name },
      question: shownQuestion(view, call.config.notifications, needs_sign_in),
      state: 'pending',
      needs_sign_in,
      ...(needs_sign_in && { suspension_id: view.id }),
      link_expires_at: link.expires_at,
    };
  },
});

/** Answers as the person of a link; undefined if the answer was handed over and is not judged yet. */
export const answerLink = useCase({
  name: 'answerLink',
  resource: 'suspension',
  refusals: [
    ...LINK_REFUSALS,
    'sign_in_needed',
    'forbidden',
    'not_eligible',
    'reason_mismatch',
    'claimed_by_other',
    'invalid_value',
    'answer_too_large',
    ...WRITE,
  ],
  async run(
    call: Call & Services,
    { token, ...answer }: LinkAnswer,
  ): Promise<LinkAnswered | undefined> {
    const { link, person, view } = await find(call, token);
    demand(checkLinkSuffices(view.record, person));
    const { directory } = call.config;
    if (directory === undefined) throw refused('link_invalid', 'There is no directory.');
    const { suspension_id, question_version, space } = link.content;
    const request = { ...withVia(answer), suspension_id, question_version };
    const caller = callerByLink(directory, person);
    const parts = call.partsOf(space);
    try {
      const outcome = await respond.run({ caller, parts }, undefined, request);
      if (!outcome.accepted) return undefined;
      const { intent_id: _intent, suspension_id: _suspension, ...result } = outcome.result;
      return result;
    } catch (error) {
      if (isOvertaken(error)) await find(call, token);
      throw error;
    }
  },
});

const OVERTAKEN: readonly (ErrorCode | undefined)[] = [
  'suspension_settled',
  'already_voted',
  'question_version_mismatch',
];

/** Whether somebody else was faster, so that the question explains best why an answer is refused. */
export function isOvertaken(error: unknown): boolean {
  return OVERTAKEN.includes(refusalOf(error)?.code);
}

interface Found {
  readonly link: OpenedLink;
  readonly person: Recipient;
  readonly view: SuspensionView;
}

/** Finds the question of a token. Throws the reason if its link is no longer valid. */
async function find({ config, openLink, partsOf }: Services, token: string): Promise<Found> {
  const link = await openLink?.(token);
  if (link === undefined) throw refused('link_invalid', 'No such link was made here.');
  const { content, expires_at } = link;
  const { space, suspension_id } = content;
  const person = demand(personOf(config.directory, content));
  const view = await questionOf(partsOf(space), suspension_id);
  demand(checkLink(view, content));
  if (!link.expired) return { link, person, view };
  throw refused('link_expired', 'The link has expired.', { state: { expired_at: expires_at } });
}

async function questionOf({ reads }: Parts, suspensionId: string): Promise<SuspensionView> {
  try {
    return (await reads.getSuspension(suspensionId)).value;
  } catch (error) {
    if (refusalOf(error)?.code !== 'suspension_not_found') throw error;
    throw refused('link_stale', 'The question is no longer kept.', {
      state: { outcome: 'removed' },
    });
  }
}

/** Notes in the metadata that the answer came by a link, for people who read it later. */
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
  // Context that describes a form is shown as that form, if it can be filled in.
  const form = isReadOnly ? {} : formInContext(record);
  const explained = { context, ...form, ...proposalOf(record) };
  const { shown, withheld } = released(explained, rules, attempt);
  const fields = form.fields_are_form && context?.['fields'];
  return defined({
    text: question,
    text_format,
    response_type,
    choices: choices?.map(withoutMetadata),
    response_schema,
    context: shown,
    fields,
    withheld,
    question_version,
    asked_by,
    on_behalf_of,
    expires_at: record.expires_at ?? null,
    approvals,
    required,
    claim,
  });
}

/* Answers from channels and from Slack. Their signature is the proof, so these need no key. */

/**
 * Answers as a person who answered elsewhere, by the rules of every answer; undefined if the answer was handed over
 * and is not judged yet. The message's id is the key, so a repeated message gets the first result.
 */
export const answerByWebhook = useCase({
  name: 'answerByWebhook',
  resource: 'suspension',
  refusals: [
    'signature_refused',
    'not_answered_for',
    'invalid_request',
    'too_many_requests',
    'forbidden',
    'suspension_not_found',
    ...ANSWER_REFUSALS,
  ],
  async run(
    { config: { directory }, openAnswer, partsOf }: Call & Services,
    message: SignedMessage,
    { person: principal, metadata, ...answer }: WebhookAnswer,
  ): Promise<RespondResult | undefined> {
    const channel = openAnswer(message);
    if (channel === undefined) throw unsigned();
    const person = demand(personAnsweredFor(directory, channel, principal));
    if (directory === undefined) throw unsigned();
    const request = { ...answer, metadata: { ...metadata, via: channel.name } };
    const key = `webhook:${channel.name}:${message.id}`;
    const call = { caller: callerByLink(directory, person), parts: partsOf(person.space) };
    const outcome = await respond.run(call, undefined, request, key);
    return outcome.accepted ? outcome.result : undefined;
  },
});

function unsigned(): RefusalError {
  return refused(
    'signature_refused',
    'No channel that may answer has signed this message in the last five minutes.',
    {
      field: 'webhook-signature',
      accepted: 'a signature by Standard Webhooks over webhook-id, webhook-timestamp and the body',
    },
  );
}

/** Handles an interaction of a person in Slack. A refused answer is a message in Slack, not a refusal of this request. */
export const answerBySlack = useCase({
  name: 'answerBySlack',
  resource: 'suspension',
  refusals: ['signature_refused', 'invalid_request', 'too_many_requests'],
  run: ({ slack }: Call & Services, message: FromSlack) => slack.take(message),
});

/**
 * Returns a function that finds the channel which signed an answer, by Standard Webhooks: over id, time and body,
 * with a secret under `answers`, at most five minutes ago.
 * @param config with the secrets themselves in place of the variables that hold them
 */
export function answerOpener({ notifications }: Pick<ServerConfig, 'notifications'>): OpenAnswer {
  const answering = Object.entries(notifications.channels).flatMap(([name, channel]) => {
    if (channel.type !== 'webhook' || channel.answers === undefined) return [];
    const { secrets, people } = channel.answers;
    return [{ name, people, keys: secrets.map((secret) => new Webhook(secret)) }];
  });
  return ({ id, timestamp, signature, body }) => {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    };
    const text = Buffer.from(body).toString();
    const found = answering.find(({ keys }) => keys.some((key) => isBy(key, text, headers)));
    return found && { name: found.name, people: found.people };
  };
}

function isBy(key: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    key.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
