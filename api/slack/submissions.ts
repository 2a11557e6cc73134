import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { SlackSubmission } from '../../contracts/slack-interaction.js';
import type { ButtonContent } from '../../contracts/slack.js';
import { canonicalJson } from '../../domain/kernel/hashing.js';
import { cutUnits } from '../../domain/kernel/shown-text.js';
import { validChoices } from '../../domain/suspension/response.js';
import { RefusalError, refusalOf } from '../errors.js';
import { findUnstorable } from '../http/json-body.js';
import { enteredIn, faultyBlock, fieldsOf } from './form.js';
import type { FormField } from './form.js';
import { wayOn } from './presses.js';
import type { PressedQuestion, SlackAnswer, SlackQuestions } from './question.js';
import { formView, saidView } from './views.js';
import { HANDED_OVER, LATER, NO_FIELDS, countedText, refusalText } from './words.js';

const FAULT_CHARACTERS = 300;

/** What becomes of a modal that was sent: another one in its place, or its fields are marked. */
export type Taken =
  | { readonly view: JsonObject }
  | { readonly errors: Readonly<Record<string, string>>; readonly view: JsonObject };

/** What a form that was sent does: it answers with what was entered. */
export async function takeSubmission(
  questions: SlackQuestions,
  { user, view: sent }: SlackSubmission,
  content: ButtonContent,
): Promise<Taken> {
  const member = user.id;
  let found: PressedQuestion | undefined;
  let fields: readonly FormField[] = [];
  try {
    found = await questions.find(content, member);
    questions.demandSuffices(found);
    const known = fieldsOf(found.view.record, content.choice !== undefined);
    if (known === undefined) return { view: saidView({ text: NO_FIELDS }) };
    fields = known;
    const entered = enteredIn(fields, sent.state.values);
    demandStorable(entered);
    const answer = { ...answerOf(found, entered), key: keyOf(sent, entered) };
    const outcome = await questions.answer(found, member, answer);
    const text = outcome.accepted ? countedText(outcome.result) : HANDED_OVER;
    return { view: saidView({ text }) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const text = refusalText(refusal, member);
    if (found === undefined) return { view: saidView({ text }) };
    const { page, anyway } = await wayOn(questions, found, refusal);
    if (fields.length === 0) return { view: saidView({ text, page }) };
    const again = {
      question: found.view.record.question,
      fields,
      choice: validChoices(found.view.record)[content.choice ?? -1]?.label,
      entered: sent.state.values,
      notice: text,
    };
    if (anyway !== undefined) {
      return { view: formView({ ...again, token: anyway.token, isAnyway: true }) };
    }
    if (!isToSendAgain(refusal.code)) return { view: saidView({ text, page }) };
    const errors = { [faultyBlock(fields, refusal.field)]: cutUnits(text, FAULT_CHARACTERS) };
    return { errors, view: formView({ ...again, token: sent.private_metadata }) };
  }
}

/** Whether what was entered is kept, because it can be sent again as it is or once it is mended. */
function isToSendAgain(code: ErrorCode): boolean {
  return code === 'invalid_value' || code === 'answer_too_large' || LATER.includes(code);
}

/** Refuses what cannot be kept, as every body of a request does. */
function demandStorable(entered: JsonValue): void {
  const fault = findUnstorable({ value: entered });
  if (fault !== undefined) throw new RefusalError({ ...fault, code: 'invalid_value' });
}

/** The answer is what was entered, or the choice of the button with that as its data. */
function answerOf(
  { content, view }: PressedQuestion,
  entered: JsonValue,
): Omit<SlackAnswer, 'key'> {
  const choice = validChoices(view.record)[content.choice ?? -1];
  return choice === undefined ? { value: entered } : { value: choice.value, data: entered };
}

/** The same modal is sent again once its faults are mended, or its notice is read. */
function keyOf(
  { id, hash, private_metadata }: SlackSubmission['view'],
  entered: JsonValue,
): string {
  return [id, hash, private_metadata, canonicalJson(entered)].join('\n');
}
