import type { JsonValue } from '../../../../contracts/kernel/primitives.js';
import type { Question } from '../../api/types.js';
import { visible } from '../../state/list/visible.js';
import { Value } from './Context.js';
import { Written } from './Written.js';
import css from './Notes.module.css';

interface NotesProps {
  readonly comment?: string | undefined;
  readonly data?: JsonValue | undefined;
  readonly by?: string;
}

export function Notes({ comment, data, by }: NotesProps) {
  if (comment === undefined && data === undefined) return null;
  const whose = by === undefined ? 'The note' : `The note of ${visible(by)}`;
  return (
    <div className={css.notes}>
      {comment !== undefined && (
        <p>
          {whose}: <Written text={comment} />
        </p>
      )}
      {data !== undefined && <Value value={data} />}
    </div>
  );
}

export function AllNotes({ question: { votes } }: { readonly question: Question }) {
  return votes.map(({ principal, actor, comment, data }) => (
    <Notes key={principal} comment={comment} data={data} by={actor} />
  ));
}
