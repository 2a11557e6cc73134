import type { ErrorCode } from '../../contracts/constants/errors.js';
import { numberFault } from '../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Refusal } from '../../contracts/problem.js';
import type { SlackSubmission } from '../../contracts/slack-interaction.js';
import type { ButtonContent } from '../../contracts/slack.js';
import { canonicalJson } from '../../domain/kernel/hashing.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { visible } from '../../contracts/constants/visible-text.js';
import { cutUnits } from '../../domain/kernel/shown-text.js';
import { validChoices } from '../../domain/suspension/response.js';
import { RefusalError, refusalOf } from '../errors.js';
import { findUnstorable } from '../http/json-body.js';
import { enteredIn, faultyBlock, fieldsOf, inexactField, typedIn } from './form.js';
import type { FormField } from './form.js';
import { wayOn } from './presses.js';
import type { PressedQuestion, SlackAnswer, SlackQuestions } from './question.js';
import { formView, saidView } from './views.js';
import type { Said, ShownForm } from './views.js';
import {
  FAILED,
  HANDED_OVER,
  LATER,
  NO_FIELDS,
  NO_SUCH_BUTTON,
  countedText,
  refusalText,
} from './words.js';

const FAULT_CHARACTERS = 300;

/** What becomes of a modal that was sent: another one in its place, or its fields are marked. */
export type Taken =
  | { readonly view: JsonObject }
  | { readonly errors: Readonly<Record<string, string>>; readonly view: JsonObject };

/** What is known of a form that was sent, as far as it was found out. */
interface Known {
  found?: PressedQuestion;
  fields: readonly FormField[];
}

interface Deps {
  readonly questions: SlackQuestions;
  /** Hears of what nobody expects. */
  readonly failed: (error: unknown) => void;
}

/**
 * What a form that was sent does: it answers with what was entered. It does not reject: the form stays open after what nobody
 * expects too, for somebody has written in it.
 */
export async function takeSubmission(
  { questions, failed }: Deps,
  submission: SlackSubmission,
  opening: Promise<ButtonContent | undefined>,
): Promise<Taken> {
  const known: Known = { fields: [] };
  try {
    const content = await opening;
    if (content === undefined) return saidOf(submission, { text: NO_SUCH_BUTTON });
    return await answered(questions, submission, content, known);
  } catch (error) {
    failed(error);
    return keptOpen(known, submission, FAILED);
  }
}

async function answered(
  questions: SlackQuestions,
  submission: SlackSubmission,
  content: ButtonContent,
  known: Known,
): Promise<Taken> {
  const { view: sent } = submission;
  try {
    const found = await questions.find(content, submission);
    known.found = found;
    questions.demandSuffices(found);
    const fields = fieldsOf(found.view.record, content.choice !== undefined);
    if (fields === undefined) return saidOf(submission, { text: NO_FIELDS });
    known.fields = fields;
    const entered = enteredIn(fields, sent.state.values);
    demandExact(inexactField(fields, sent.state.values));
    demandStorable(entered);
    const answer = { ...answerOf(found, entered), key: keyOf(sent, entered) };
    const outcome = await questions.answer(found, submission, answer);
    const text = outcome.accepted ? countedText(outcome.result) : HANDED_OVER;
    return { view: saidView({ text }) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refused(questions, submission, refusal, known);
  }
}

/** What becomes of a form that was refused. It stays, if it can be sent again. */
async function refused(
  questions: SlackQuestions,
  submission: SlackSubmission,
  refusal: Refusal,
  known: Known,
): Promise<Taken> {
  const { found } = known;
  const text = refusalText(refusal, submission);
  if (isToSendAgain(refusal.code)) return keptOpen(known, submission, text, refusal.field);
  const { page, anyway } = found === undefined ? {} : await wayOn(questions, found, refusal);
  const token = anyway?.token;
  if (token === undefined) return saidOf(submission, { text, page });
  return { view: againView(known, submission, text, { token, isAnyway: true }) };
}

/** The fault stands at its field; if Slack waits no longer, above the same form. */
function keptOpen(known: Known, submission: SlackSubmission, text: string, field?: string): Taken {
  const token = submission.view.private_metadata;
  return {
    errors: { [faultyBlock(known.fields, field)]: cutUnits(visible(text), FAULT_CHARACTERS) },
    view: againView(known, submission, text, { token }),
  };
}

/** The form with what was entered, or if it is not known, the texts alone. */
function againView(
  { found, fields }: Known,
  submission: SlackSubmission,
  notice: string,
  sending: Pick<ShownForm, 'token' | 'isAnyway'>,
): JsonObject {
  if (found === undefined || fields.length === 0) return saidOf(submission, { text: notice }).view;
  const { view, content } = found;
  const choice = validChoices(view.record)[content.choice ?? -1]?.label;
  const { question } = view.record;
  const { values: entered } = submission.view.state;
  return formView({ question, fields, choice, entered, notice, ...sending });
}

/** Says what became of it, with the texts that would be lost otherwise. */
function saidOf(submission: SlackSubmission, said: Said): { readonly view: JsonObject } {
  return { view: saidView({ ...said, typed: typedIn(submission.view.state.values) }) };
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

/** Refuses a number that would be sent as another one than was typed. */
function demandExact(field: FormField | undefined): void {
  if (field === undefined) return;
  const { accepted, detail } = numberFault([field.name]);
  throw new RefusalError({ code: 'invalid_value', field: `value.${field.name}`, accepted, detail });
}

/** The answer is what was entered, or the choice of the button with that as its data. */
function answerOf(
  { content, view }: PressedQuestion,
  entered: JsonValue,
): Omit<SlackAnswer, 'key'> {
  const choice = validChoices(view.record)[content.choice ?? -1];
  return choice === undefined
    ? { value: entered }
    : { value: choice.value, ...(isObject(entered) && { data: entered }) };
}

/** The same modal is sent again once its faults are mended, or its notice is read. */
function keyOf(
  { id, hash, private_metadata }: SlackSubmission['view'],
  entered: JsonValue,
): string {
  return [id, hash, private_metadata, canonicalJson(entered)].join('\n');
}
