import type { SlackPress } from '../../contracts/channel/slack-interaction.js';
import type { ButtonContent } from '../../contracts/channel/slack.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { validChoices } from '../../domain/suspension/answering/response.js';
import { refusalOf } from '../errors.js';
import { fieldsOf, takesData } from './form.js';
import type { PressedQuestion, SlackQuestions } from './question.js';
import { isTooLate } from './slack.js';
import type { SlackPort } from './slack.js';
import { formView } from './views.js';
import type { Said } from './views.js';
import { FAILED, HANDED_OVER, NO_FIELDS, NO_MODAL, countedText, refusalText } from './words.js';

/** A pressed button of ours, with the content of its token. */
export interface Pressed {
  readonly press: SlackPress;
  readonly token: string;
  readonly content: ButtonContent;
  readonly port: Pick<SlackPort, 'openView'>;
}

/**
 * Carries out a press: answers with the choice of the button, or asks for the answer in a modal. Returns the private reply, if
 * there is one.
 */
export async function takePress(
  questions: SlackQuestions,
  pressed: Pressed,
): Promise<Said | undefined> {
  const { press, content } = pressed;
  let found: PressedQuestion | undefined;
  try {
    found = await questions.find(content, press);
    questions.demandSuffices(found);
    const { record } = found.view;
    const choice = content.choice === undefined ? undefined : validChoices(record)[content.choice];
    if (choice === undefined || takesData(record)) return await askFor(questions, found, pressed);
    const { value } = choice;
    const outcome = await questions.answer(found, press, { value, key: press.trigger_id });
    return { text: outcome.accepted ? countedText(outcome.result) : HANDED_OVER };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const text = refusalText(refusal, press);
    return { text, ...(found && (await wayOn(questions, found, refusal))) };
  }
}

/** Returns the next step of a person who was refused: to sign in, or to answer anyway. */
export async function wayOn(
  questions: SlackQuestions,
  found: PressedQuestion,
  { code }: Refusal,
): Promise<Pick<Said, 'page' | 'anyway'>> {
  if (code === 'sign_in_needed') return { page: await questions.pageOf(found) };
  return code === 'claimed_by_other' ? { anyway: await questions.anyway(found) } : {};
}

/** Opens a modal with the fields of the answer, or points to the inbox if Slack lacks them. */
async function askFor(
  questions: SlackQuestions,
  found: PressedQuestion,
  { press, token, port }: Pressed,
): Promise<Said | undefined> {
  const { record } = found.view;
  const fields = fieldsOf(record, found.content.choice !== undefined);
  if (fields === undefined) return { text: NO_FIELDS, page: await questions.pageOf(found) };
  try {
    const choice = validChoices(record)[found.content.choice ?? -1]?.label;
    const view = formView({ token, question: record.question, fields, choice });
    await port.openView(press.trigger_id, view);
    return undefined;
  } catch (error) {
    // Slack opens a modal only within three seconds of the press.
    return { text: isTooLate(error) ? NO_MODAL : FAILED };
  }
}
