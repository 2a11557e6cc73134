import type { Answer, JsonValue, SuspensionView } from '../client/index.js';
import { usage } from './failures.js';
import { json, questionLines } from './question-text.js';
import { hanging, oneLine, valueText } from './text.js';

/** What goes with the value of an answer. */
export type Besides = Pick<Answer, 'comment' | 'data' | 'edits'>;

/** A value as a person knows it: the label of a choice, or what was entered. */
function saidOf({ record }: SuspensionView, value: JsonValue): string {
  const choice = record.choices?.find((one) => one.value === value);
  if (choice === undefined || choice.label === value) return valueText(value);
  return `${choice.value} (${choice.label})`;
}

/**
 * What is about to be sent, below the question as it is answered: its proposal with the arguments that are approved, beside those
 * that were asked about.
 *
 * @throws CliError if an edit is of no call of the proposal, or of one twice, and so would not be shown
 */
export function answerLines(
  view: SuspensionView,
  now: number,
  value: JsonValue,
  { edits = [], comment, data }: Besides,
): readonly string[] {
  demandCalls(view, edits);
  return [
    ...questionLines(view, now, edits),
    '',
    ...hanging(`Your answer: ${saidOf(view, value)}`),
    ...(comment === undefined ? [] : hanging(`Your comment: ${comment}`)),
    ...(data === undefined ? [] : ['Your data:', ...json(data, '  ')]),
  ];
}

function demandCalls({ record }: SuspensionView, edits: NonNullable<Besides['edits']>): void {
  const calls = record.approval?.proposal.calls ?? [];
  const ids = edits.map(({ call_id }) => call_id);
  const wrong = ids.find(
    (id, index) => ids.indexOf(id) !== index || !calls.some((call) => call.id === id),
  );
  if (wrong === undefined) return;
  const known = calls.length === 0 ? 'there is none' : calls.map(({ id }) => id).join(', ');
  throw usage(`--edit ${oneLine(wrong)}: name calls of the proposal, each once: ${known}.`);
}

/** What was changed with an answer that counts, for whoever sent it. */
export function editedLines(
  { record }: SuspensionView,
  edits: Besides['edits'] = [],
): readonly string[] {
  return edits.flatMap(({ call_id, arguments: args }) => {
    const call = record.approval?.proposal.calls.find(({ id }) => id === call_id);
    return [...hanging(`Edited: ${call_id} ${call?.tool ?? ''}`.trimEnd()), ...json(args, '  ')];
  });
}
