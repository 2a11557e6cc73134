import type { RefObject } from 'react';
import { api } from '../../api/calls.js';
import type { Question } from '../../api/types.js';
import { useActing } from '../../state/answering/acting.js';
import { useKeptText } from '../../state/answering/drafts.js';
import { useMay } from '../../state/session.js';
import { isBlank, visible } from '../../state/list/visible.js';
import { Problem } from '../Problem.js';
import { Ago } from './TimeLeft.js';
import { Button, CopyButton, Notice, Section } from '../ui.js';
import { Written } from './Written.js';
import css from './Comments.module.css';

interface CommentsProps {
  readonly question: Question;
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
}

export function Comments({ question, fieldRef }: CommentsProps) {
  const { id, comments, state } = question;
  const [text, setText, sent] = useKeptText(`comment:${id}`);
  const may = useMay();
  const canComment = may('commentOnSuspension') && state === 'pending';
  const isUnsent = state === 'settled' && !isBlank(text);
  if (comments.length === 0 && !canComment && !isUnsent) return null;
  return (
    <Section title="Comments" aside={comments.length > 0 ? String(comments.length) : undefined}>
      <ul className={css.comments}>
        {comments.map(({ actor, text: said, at }) => (
          <li key={`${actor}${at}`}>
            <p className={css.who}>
              <strong>{visible(actor)}</strong> <Ago at={at} />
            </p>
            <Written text={said} as="div" />
          </li>
        ))}
      </ul>
      {canComment && (
        <Write id={id} text={text} setText={setText} sent={sent} fieldRef={fieldRef} />
      )}
      {isUnsent && (
        <Unsent
          text={text}
          discard={() => {
            setText('');
          }}
        />
      )}
    </Section>
  );
}

interface WriteProps {
  readonly id: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly sent: (text: string) => void;
  readonly fieldRef: CommentsProps['fieldRef'];
}

/** The field for a comment. In it, Ctrl Enter posts the comment and sends no answer. */
function Write({ id, text, setText, sent, fieldRef }: WriteProps) {
  const acting = useActing(id);
  const submit = async () => {
    if (isBlank(text) || acting.isBusy) return;
    if (await acting.act(() => api.comment(id, text))) sent(text);
  };
  return (
    <div className={css.write}>
      <textarea
        ref={fieldRef}
        rows={2}
        dir="auto"
        aria-label="A comment"
        placeholder="Say something without answering"
        value={text}
        aria-keyshortcuts="Control+Enter"
        onChange={(event) => {
          setText(event.target.value);
        }}
        onKeyDown={(event) => {
          const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
          if (!isSent || event.repeat || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      {acting.error !== undefined && <Problem error={acting.error} isReply />}
      <Button isDisabled={isBlank(text)} isPending={acting.isBusy} onPress={() => void submit()}>
        Comment
      </Button>
    </div>
  );
}

function Unsent({ text, discard }: { readonly text: string; readonly discard: () => void }) {
  return (
    <Notice
      tone="warn"
      title="Your comment was not posted"
      actions={
        <>
          <CopyButton text={text} label="Copy my comment" />
          <Button kind="quiet" onPress={discard}>
            Discard
          </Button>
        </>
      }
    >
      <p>The question is over, and takes no more comments.</p>
    </Notice>
  );
}
