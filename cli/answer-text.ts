import type { Answer, JsonValue, SuspensionView } from '../client/index.js';
import { usage } from './failures.js';
import { json, questionLines } from './question-text.js';
import { hanging, oneLine, valueText } from './text.js';

/** The fields beside the value of an answer. */
export type Besides = Pick<Answer, 'comment' | 'data' | 'edits'>;

/** Returns a value as a person knows it: the label of a choice, or the entered text. */
function saidOf({ record }: SuspensionView, value: JsonValue): string {
  const choice = record.choices?.find((one) => one.value === value);
  if (choice === undefined || choice.label === value) return valueText(value);
  return `${choice.value} (${choice.label})`;
}

/**
 * Returns the question with the answer that is about to be sent. The proposal shows the edited arguments beside the original ones.
 *
 * @throws CliError if an edit names no call of the proposal, or names one twice, and so would not be shown
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

/** Returns the edits that were sent with an accepted answer. */
export function editedLines(
  { record }: SuspensionView,
  edits: Besides['edits'] = [],
): readonly string[] {
  return edits.flatMap(({ call_id, arguments: args }) => {
    const call = record.approval?.proposal.calls.find(({ id }) => id === call_id);
    return [...hanging(`Edited: ${call_id} ${call?.tool ?? ''}`.trimEnd()), ...json(args, '  ')];
  });
}
