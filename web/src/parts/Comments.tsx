import { useState } from 'react';
import type { RefObject } from 'react';
import { api } from '../api/calls.js';
import type { Question } from '../api/types.js';
import { useActing } from '../state/acting.js';
import { useMay } from '../state/session.js';
import { visible } from '../state/visible.js';
import { Markdown } from './Markdown.js';
import { Problem } from './Problem.js';
import { Ago } from './TimeLeft.js';
import { Button, Section } from './ui.js';
import css from './Comments.module.css';

/** What was said of a question, and where to say more. */
export function Comments({
  question,
  fieldRef,
}: {
  readonly question: Question;
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
}) {
  const { id, comments, state } = question;
  const [text, setText] = useState('');
  const acting = useActing(id);
  const may = useMay();
  const canComment = may('commentOnSuspension') && state === 'pending';
  if (comments.length === 0 && !canComment) return null;
  const submit = () => {
    if (text.trim() === '') return;
    void acting
      .act(() => api.comment(id, text.trim()))
      .then((done) => {
        if (done) setText('');
      });
  };
  return (
    <Section title="Comments" {...(comments.length > 0 && { aside: String(comments.length) })}>
      <ul className={css.comments}>
        {comments.map(({ actor, text: said, at }) => (
          <li key={`${actor}${at}`}>
            <p className={css.who}>
              <strong>{visible(actor)}</strong> <Ago at={at} />
            </p>
            <Markdown text={said} />
          </li>
        ))}
      </ul>
      {canComment && (
        <div className={css.write}>
          <textarea
            ref={fieldRef}
            rows={2}
            aria-label="A comment"
            placeholder="Say something without answering"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
          {acting.error !== undefined && <Problem error={acting.error} />}
          <Button isDisabled={text.trim() === ''} isPending={acting.isBusy} onPress={submit}>
            Comment
          </Button>
        </div>
      )}
    </Section>
  );
}
