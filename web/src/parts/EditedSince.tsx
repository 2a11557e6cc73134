import { editedSince } from '../../../domain/suspension/telling/proposal-edits.js';
import type { Question } from '../api/types.js';
import { callName } from '../state/facts.js';
import { pretty } from '../state/visible.js';
import { ArgumentsDiff } from './ArgumentsDiff.js';

/** Shows what people have changed in a proposal since it was asked about. The text of the question is about the first version. */
export function EditedSince({
  question: { record, timeline },
}: {
  readonly question: Pick<Question, 'record' | 'timeline'>;
}) {
  const { version = 1, calls = [] } = record.approval?.proposal ?? {};
  if (version === 1) return null;
  const edited = editedSince(record, timeline);
  if (edited.length === 0) {
    return (
      <p>The arguments were edited since it was asked: version {version}, below, is what counts.</p>
    );
  }
  return edited.map(({ call, before }) => {
    const name = callName(calls, call.id);
    if (before === undefined) {
      return (
        <p key={call.id}>
          {name} was edited since it was asked. Its arguments of before were too large to be kept.
        </p>
      );
    }
    return (
      <ArgumentsDiff
        key={call.id}
        before={pretty(before)}
        after={pretty(call.arguments)}
        title={`Changes to ${name} since it was asked`}
      />
    );
  });
}
