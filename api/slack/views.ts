import type { JsonObject } from '../../contracts/primitives.js';
import type { SlackPress } from '../../contracts/slack-interaction.js';
import { formBlocks } from './form.js';
import type { FormField } from './form.js';
import { plain } from './plain.js';

const MOST = 3_000;
const TITLE = 24;
const LABEL = 75;

/** What somebody is told privately. */
export interface Said {
  readonly text: string;
  /** Where to go on. */
  readonly page?: string | undefined;
  /** The token of a button, or of a form, that answers all the same. */
  readonly anyway?: string | undefined;
}

/** A form in which a question is answered. */
export interface ShownForm {
  readonly token: string;
  readonly question: string;
  readonly fields: readonly FormField[];
  /** What has to be known before it is sent again: the holder of the question. */
  readonly notice?: string;
}

/** The modal with a form. What was entered stays when it replaces one with the same fields. */
export function formView({ token, question, fields, notice }: ShownForm): JsonObject {
  return {
    type: 'modal',
    callback_id: 'holdpoint',
    private_metadata: token,
    title: plain('Your answer', TITLE),
    submit: plain(notice === undefined ? 'Send' : 'Send anyway', TITLE),
    close: plain('Cancel', TITLE),
    blocks: [
      ...(notice === undefined ? [] : [section(notice)]),
      section(question),
      ...formBlocks(fields),
    ],
  };
}

/** What a form becomes once it was sent. */
export function saidView({ text, page }: Said): JsonObject {
  return {
    type: 'modal',
    title: plain('Your answer', TITLE),
    close: plain('Close', TITLE),
    blocks: [section(text), ...pageBlocks(page)],
  };
}

/** A reply that only who pressed sees. The message stays as it is; a private one with a button is replaced. */
export function privateReply(
  { text, page, anyway }: Said,
  { container }: Pick<SlackPress, 'container'>,
): JsonObject {
  const thread_ts = container?.thread_ts;
  return {
    response_type: 'ephemeral',
    replace_original: container?.is_ephemeral ?? false,
    ...(thread_ts !== undefined && { thread_ts }),
    text: escaped(text),
    blocks: [section(text), ...pageBlocks(page), ...anywayBlocks(anyway)],
  };
}

function section(text: string): JsonObject {
  return { type: 'section', text: plain(text, MOST) };
}

function pageBlocks(page: string | undefined): readonly JsonObject[] {
  if (page === undefined) return [];
  const text = plain('Open', LABEL);
  return actions({ type: 'button', action_id: 'holdpoint:page', text, url: page });
}

function anywayBlocks(token: string | undefined): readonly JsonObject[] {
  if (token === undefined) return [];
  const text = plain('Answer anyway', LABEL);
  return actions({ type: 'button', action_id: 'holdpoint:anyway', text, value: token });
}

function actions(button: JsonObject): readonly JsonObject[] {
  return [{ type: 'actions', elements: [button] }];
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (one) => ESCAPED[one] ?? one);
}
