import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { SlackEntered, SlackPress } from '../../contracts/channel/slack.js';
import type { SuspensionChoice } from '../../contracts/suspension/suspension.js';
import { visible } from '../../contracts/constants/visible-text.js';
import { partsOf, unaddressed, untagged } from '../../domain/kernel/shown-text.js';
import { isDangerous } from '../../domain/suspension/form/once-more.js';
import { formBlocks, plain, type FormField } from './form.js';
import { YOU_WROTE } from './words.js';

const MOST = 3_000;
const TITLE = 24;
const LABEL = 75;
const CONFIRM_TITLE = 100;
const CONFIRM = 300;
const CONFIRM_BUTTON = 30;

export interface Said {
  readonly text: string;
  readonly page?: string | undefined;
  readonly anyway?: Anyway | undefined;
  /** The texts that the person wrote, if their form is gone. */
  readonly typed?: readonly string[];
}

export interface Anyway {
  readonly token: string;
  readonly choice?: SuspensionChoice | undefined;
  readonly isApproval: boolean;
}

export interface ShownForm {
  readonly token: string;
  readonly question: string;
  readonly fields: readonly FormField[];
  readonly choice?: string | undefined;
  readonly entered?: SlackEntered;
  /** Whether it is sent although somebody else has claimed the question. */
  readonly isAnyway?: boolean;
  /** A text to read before the form is sent again, such as the holder of the question. */
  readonly notice?: string;
}

export function formView({ token, question, fields, notice, ...form }: ShownForm): JsonObject {
  const { choice, entered, isAnyway = false } = form;
  return {
    type: 'modal',
    callback_id: 'holdpoint',
    private_metadata: token,
    title: plain('Your answer', TITLE),
    submit: plain(isAnyway ? 'Send anyway' : 'Send', TITLE),
    close: plain('Cancel', TITLE),
    blocks: [
      ...(notice === undefined ? [] : sections(notice)),
      ...sections(question),
      ...(choice === undefined ? [] : sections(`Your choice: ${choice}`)),
      ...formBlocks(fields, entered),
    ],
  };
}

export function saidView({ text, page, typed = [] }: Said): JsonObject {
  return {
    type: 'modal',
    title: plain('Your answer', TITLE),
    close: plain('Close', TITLE),
    blocks: [...sections(text), ...pageBlocks(page), ...typedBlocks(typed)],
  };
}

function typedBlocks(typed: readonly string[]): readonly JsonObject[] {
  return typed.length === 0 ? [] : [YOU_WROTE, ...typed].flatMap(sections);
}

/** Returns a reply that only the person who pressed sees. A public message stays; a private one with a button is replaced. */
export function privateReply(
  { text, page, anyway }: Said,
  { container }: Pick<SlackPress, 'container'>,
): JsonObject {
  const thread_ts = container?.thread_ts;
  return {
    response_type: 'ephemeral',
    replace_original: container?.is_ephemeral ?? false,
    ...(thread_ts !== undefined && { thread_ts }),
    text: untagged(unaddressed(text)),
    blocks: [...sections(text), ...pageBlocks(page), ...anywayBlocks(anyway)],
  };
}

function sections(text: string): readonly JsonObject[] {
  return partsOf(visible(text), MOST).map((part) => ({ type: 'section', text: plain(part, MOST) }));
}

function pageBlocks(page: string | undefined): readonly JsonObject[] {
  if (page === undefined) return [];
  const text = plain('Open', LABEL);
  return actions({ type: 'button', action_id: 'holdpoint:page', text, url: page });
}

/** Returns a button that names its answer, and asks for a confirmation if the first one did. */
function anywayBlocks(anyway: Anyway | undefined): readonly JsonObject[] {
  if (anyway === undefined) return [];
  const { token: value, choice, isApproval } = anyway;
  const label = choice === undefined ? 'Answer anyway' : `Answer "${choice.label}" anyway`;
  const button = {
    type: 'button',
    action_id: 'holdpoint:anyway',
    text: plain(label, LABEL),
    value,
  };
  const hasDanger = isDangerous(choice);
  if (choice === undefined || !(hasDanger || isApproval)) return actions(button);
  const confirm = {
    title: plain(choice.label, CONFIRM_TITLE),
    text: plain(choice.description ?? 'Are you sure?', CONFIRM),
    confirm: plain('Yes', CONFIRM_BUTTON),
    deny: plain('No', CONFIRM_BUTTON),
    ...(hasDanger && { style: 'danger' }),
  };
  return actions({ ...button, ...(hasDanger && { style: 'danger' }), confirm });
}

function actions(button: JsonObject): readonly JsonObject[] {
  return [{ type: 'actions', elements: [button] }];
}
