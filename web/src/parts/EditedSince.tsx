import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { editedSince } from '../../../domain/suspension/context-beside.js';
import { pretty } from '../state/visible.js';
import { ArgumentsDiff } from './ArgumentsDiff.js';

/** What people have changed of a proposal since it was asked about: the words of its question are those of before. */
export function EditedSince({ record }: { readonly record: SuspensionRecord }) {
  const version = record.approval?.proposal.version ?? 1;
  if (version === 1) return null;
  const edited = editedSince(record);
  if (edited === undefined) {
    return (
      <p>The arguments were edited since it was asked: what counts is version {version}, below.</p>
    );
  }
  const title = `What was changed of ${edited.call.tool} since it was asked`;
  return (
    <ArgumentsDiff
      before={pretty(edited.before)}
      after={pretty(edited.call.arguments)}
      title={title}
    />
  );
}
