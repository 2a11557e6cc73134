import type { ButtonContent, SlackPress, SlackSubmission } from '../../contracts/channel/slack.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { validChoices } from '../../domain/suspension/answering/response.js';
import { RefusalError, refusalOf } from '../errors.js';
import {
  enteredIn,
  faultyBlock,
  fieldsOf,
  inexactField,
  takesData,
  typedIn,
  type FormField,
} from './form.js';
import type { PressedQuestion, SlackAnswer, SlackQuestions } from './question.js';
import { isTooLate, type SlackPort } from './slack.js';
import { formView, saidView, type Said, type ShownForm } from './views.js';
import {
  FAILED,
  HANDED_OVER,
  LATER,
  NO_FIELDS,
  NO_MODAL,
  NO_SUCH_BUTTON,
  countedText,
  refusalText,
} from './words.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { numberFault } from '../../contracts/constants/exact-json.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { canonicalJson } from '../../domain/kernel/hashing.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { visible } from '../../contracts/constants/visible-text.js';
import { cutUnits } from '../../domain/kernel/shown-text.js';
import { findUnstorable } from '../http/json-body.js';

export interface Pressed {
  readonly press: SlackPress;
  readonly token: string;
  readonly content: ButtonContent;
  readonly port: Pick<SlackPort, 'openView'>;
}

/** Answers with the choice of the button, or asks for the answer in a modal. Returns the private reply, if any. */
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

/** Returns the next step for a person who was refused: to sign in, or to answer anyway. */
async function wayOn(
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

const FAULT_CHARACTERS = 300;

/** The outcome of a modal that was sent: another one in its place, or marks at its fields. */
export type Taken =
  | { readonly view: JsonObject }
  | { readonly errors: Readonly<Record<string, string>>; readonly view: JsonObject };

interface Known {
  found?: PressedQuestion;
  fields: readonly FormField[];
}

interface Deps {
  readonly questions: SlackQuestions;
  readonly failed: (error: unknown) => void;
}

/** Answers with the entries of a form. It never rejects: the form stays open after an error, so that no text is lost. */
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

/** Returns the outcome of a refused form. The form stays if it can be sent again. */
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

/** Shows the fault at its field; if Slack no longer waits, above the same form. */
function keptOpen(known: Known, submission: SlackSubmission, text: string, field?: string): Taken {
  const token = submission.view.private_metadata;
  return {
    errors: { [faultyBlock(known.fields, field)]: cutUnits(visible(text), FAULT_CHARACTERS) },
    view: againView(known, submission, text, { token }),
  };
}

/** Returns the form with its entries; only its texts if the form is unknown. */
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

/** Shows the outcome, with the texts that would be lost otherwise. */
function saidOf(submission: SlackSubmission, said: Said): { readonly view: JsonObject } {
  return { view: saidView({ ...said, typed: typedIn(submission.view.state.values) }) };
}

/** Whether the form can be sent again, as it is or once corrected, so that its entries are kept. */
function isToSendAgain(code: ErrorCode): boolean {
  return code === 'invalid_value' || code === 'answer_too_large' || LATER.includes(code);
}

function demandStorable(entered: JsonValue): void {
  const fault = findUnstorable({ value: entered });
  if (fault !== undefined) throw new RefusalError({ ...fault, code: 'invalid_value' });
}

function demandExact(field: FormField | undefined): void {
  if (field === undefined) return;
  const { accepted, detail } = numberFault([field.name]);
  throw new RefusalError({ code: 'invalid_value', field: `value.${field.name}`, accepted, detail });
}

/** Returns the entries as the answer, or the choice of the button with the entries as its data. */
function answerOf(
  { content, view }: PressedQuestion,
  entered: JsonValue,
): Omit<SlackAnswer, 'key'> {
  const choice = validChoices(view.record)[content.choice ?? -1];
  return choice === undefined
    ? { value: entered }
    : { value: choice.value, ...(isObject(entered) && { data: entered }) };
}

/** Returns a key that includes the entries: the same modal can be sent again with corrections, or after its notice. */
function keyOf(
  { id, hash, private_metadata }: SlackSubmission['view'],
  entered: JsonValue,
): string {
  return [id, hash, private_metadata, canonicalJson(entered)].join('\n');
}
