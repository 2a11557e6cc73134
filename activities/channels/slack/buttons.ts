import type { Button, KnownBlock } from '@slack/web-api';
import type { ButtonContent } from '../../../contracts/channel/slack.js';
import { cutLabels, numberedIfCut } from '../../../domain/kernel/shown-text.js';
import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import { validChoices } from '../../../domain/suspension/answering/response.js';
import type { OutgoingChoice, OutgoingMessage } from '../channel.js';
import { visibleLine } from '../../../contracts/constants/visible-text.js';
import { decidersIn } from '../entries.js';
import { sections, small } from './blocks.js';
import { plainLine, shownLength } from './text.js';

/** The prefix of button ids; the rest makes them differ within a message. */
export const ACTION = 'holdpoint';
/** So many choices have a button each; more are chosen in a form. */
const MOST_BUTTONS = 10;
const LABEL_CHARACTERS = 75;
/** So long is the list of the labels that buttons cut; where it is longer, a form or the inbox has to do. */
const LIST_CHARACTERS = 3_000;
const CONFIRM_CHARACTERS = 300;
const TITLE_CHARACTERS = 100;

/** The data from which the buttons of a message are made. */
export interface ButtonMaking {
  /** The token of a button that answers with the choice at this position, or that asks for the answer. */
  readonly token: ((choice?: number) => Promise<string>) | undefined;
  /** The page of the person's own link, or of the inbox; undefined where `public_url` is not configured. */
  readonly page: string | undefined;
  /** Whether a button suffices to decide an approval: the message shows it in full, and the settings allow that. */
  readonly decides: boolean;
}

/** The part of a token about the question of its message. */
export function shownIn({ approval }: OutgoingMessage): Pick<ButtonContent, 'proposal_hash'> {
  return approval === undefined ? {} : { proposal_hash: approval.proposal_hash };
}

/** How a message is answered: buttons for what can be chosen, one for a form, and a way into the inbox. */
export async function answerBlocks(
  message: OutgoingMessage,
  { token, page, decides }: ButtonMaking,
): Promise<readonly KnownBlock[]> {
  const isApproval = message.approval !== undefined;
  const open = page === undefined ? [] : [pageButton(page)];
  if (message.alert) return actions(open);
  if (message.informs) return [small('You cannot answer it. Who can:', [decidersIn(message)])];
  if (token === undefined) return open.length > 0 ? actions(open) : [small(IN_INBOX)];
  // What is pressed answers privately with the page to sign in on.
  if (isApproval && !decides) {
    return actions([await formButton(token, 'Decide')]);
  }
  const { response_type, choices: listed } = message;
  const choices = validChoices({ response_type, ...(listed && { choices: [...listed] }) });
  if (choices.length === 0) return actions([await formButton(token, 'Answer'), ...open]);
  const labels = choices.map(({ label }) => visibleLine(label));
  const list = cutLabels(labels, LABEL_CHARACTERS);
  if (choices.length > MOST_BUTTONS || shownLength(list) > LIST_CHARACTERS) {
    return actions([await formButton(token, 'Choose'), ...open]);
  }
  const buttons = await Promise.all(
    choices.map(async (choice, index) =>
      choiceButton(choice, index, await token(index), isApproval),
    ),
  );
  return [...sections(list, LIST_CHARACTERS), ...actions([...buttons, ...open])];
}

const IN_INBOX = 'Answer it in the inbox of Holdpoint.';

function actions(elements: readonly Button[]): readonly KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }];
}

function pageButton(url: string): Button {
  return { type: 'button', action_id: `${ACTION}:page`, text: plainLine('Open', 10), url };
}

async function formButton(
  token: NonNullable<ButtonMaking['token']>,
  label: string,
): Promise<Button> {
  const text = plainLine(label, LABEL_CHARACTERS);
  return { type: 'button', action_id: `${ACTION}:form`, text, value: await token() };
}

/** Dangerous choices and decisions about approvals ask once more. A label that is cut has the number of its line above. */
function choiceButton(
  choice: OutgoingChoice,
  index: number,
  value: string,
  isApproval: boolean,
): Button {
  const { description, style } = choice;
  const label = numberedIfCut(visibleLine(choice.label), index, LABEL_CHARACTERS);
  const hasDanger = isDangerous(choice);
  return {
    type: 'button',
    action_id: `${ACTION}:${index}`,
    text: plainLine(label, LABEL_CHARACTERS),
    value,
    ...((style === 'danger' || style === 'primary') && { style }),
    ...((hasDanger || isApproval) && {
      confirm: {
        title: plainLine(label, TITLE_CHARACTERS),
        text: plainLine(description ?? 'Are you sure?', CONFIRM_CHARACTERS),
        confirm: plainLine('Yes', 30),
        deny: plainLine('No', 30),
        ...(hasDanger && { style: 'danger' as const }),
      },
    }),
  };
}
