import { useState } from 'react';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { draftText } from '../state/draft.js';
import type { Draft } from '../state/draft.js';
import { defaultText, endText, valueText } from '../state/facts.js';
import { isTypingElsewhere } from '../state/keys.js';
import { visible } from '../state/visible.js';
import type { Walk } from '../state/walk.js';
import { Value } from './Context.js';
import { CopyButton } from './CopyButton.js';
import { EditedSince } from './EditedSince.js';
import { NextButton } from './NextButton.js';
import { AllNotes } from './Notes.js';
import { Button, Notice } from './ui.js';
import { Written } from './Written.js';
import css from './Outcome.module.css';

interface OutcomeProps {
  readonly question: Question;
  /** Whether the answer was sent from this page. */
  readonly isMine: boolean;
  /** Whether it has ended while somebody looked. */
  readonly isNew: boolean;
  readonly inVain: Draft | undefined;
  readonly walk: Walk;
}

/** Says how a question ended: by whom, when, where, and with what answer. A draft that was in vain can be copied. */
export function Outcome({ question, isMine, isNew, inVain, walk }: OutcomeProps) {
  // The fields of the answer are gone. Whoever writes a comment meanwhile goes on writing.
  const [takesFocus] = useState(() => isMine && isNew && !isTypingElsewhere());
  const title = isMine ? 'Your answer settled it' : endText(question);
  const isAnswered = question.record.resolution === 'responded';
  return (
    <Notice
      tone={inVain ? 'warn' : isAnswered ? 'good' : 'info'}
      title={inVain ? `${title} before you` : title}
      isAlert={inVain !== undefined}
      replyTo={takesFocus ? question.id : undefined}
      actions={
        <>
          {inVain && <CopyButton text={draftText(inVain)} />}
          <NextButton walk={walk} isMain={isNew} />
        </>
      }
    >
      <p>{circumstancesOf(question)}</p>
      <Result question={question} />
      <AllNotes question={question} />
      <EditedSince question={question} />
      {inVain && (
        <p>
          {inVain.sent
            ? 'Your answer was sent, but does not count. Your draft is still here to copy.'
            : 'Your draft was not sent, and is still here to copy.'}
        </p>
      )}
    </Notice>
  );
}

/** Says when and where a question ended, and whose key proved it if that is not the person who answered. */
function circumstancesOf({ record }: Question): string {
  const { settled_at, metadata, submitted_by, responded_by } = record;
  const via = metadata?.via ?? metadata?.channel;
  const facts = [
    settled_at && atTime(settled_at),
    typeof via === 'string' && `by ${via}`,
    submitted_by !== responded_by && submitted_by && `sent by ${submitted_by}`,
  ];
  return visible(facts.filter(Boolean).join(', '));
}

/** The answer, or the default that counts in its place. */
function Result({ question }: { readonly question: Question }) {
  const { resolution, response } = question.record;
  if (resolution === 'responded' && response !== undefined) {
    if (typeof response === 'object') return <Value value={response} />;
    return <Written text={valueText(response, question)} as="p" className={css.answer} />;
  }
  const counts = defaultText(question);
  if (counts === undefined) return null;
  return (
    <p>
      The default counts: <code>{counts}</code>
    </p>
  );
}

interface OlderDraftProps {
  readonly draft: Draft;
  readonly discard: () => void;
}

/** Says that a question was changed after somebody began to answer it. */
export function OlderDraft({ draft, discard }: OlderDraftProps) {
  return (
    <Notice
      tone="warn"
      title="The question was changed while you answered"
      isAlert
      actions={
        <>
          <CopyButton text={draftText(draft)} />
          <Button kind="quiet" onPress={discard}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        {draft.sent
          ? 'Your answer was sent, but does not count: it was for the previous version. Read the question again.'
          : 'Your draft was for the previous version. It was not sent; read the question again.'}
      </p>
    </Notice>
  );
}
