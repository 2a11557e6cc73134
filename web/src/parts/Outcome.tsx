import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { draftText } from '../state/draft.js';
import type { Draft } from '../state/draft.js';
import { defaultText, endText, valueText } from '../state/facts.js';
import { visible } from '../state/visible.js';
import { Value } from './Context.js';
import { CopyButton } from './CopyButton.js';
import { EditedSince } from './EditedSince.js';
import { AllNotes } from './Notes.js';
import { Button, Notice } from './ui.js';
import { Written } from './Written.js';
import css from './Outcome.module.css';

/** How a question ended: who, when, where, and with what. A draft that came to nothing can be copied. */
export function Outcome({
  question,
  isMine,
  inVain,
}: {
  readonly question: Question;
  /** Whether the answer was sent from this page. */
  readonly isMine: boolean;
  /** The draft that came to nothing. */
  readonly inVain: Draft | undefined;
}) {
  const title = isMine ? 'Your answer settled it' : endText(question);
  const isAnswered = question.record.resolution === 'responded';
  return (
    <Notice
      tone={inVain ? 'warn' : isAnswered ? 'good' : 'info'}
      title={inVain ? `${title} before you` : title}
      isAlert={inVain !== undefined}
      actions={inVain && <CopyButton text={draftText(inVain)} />}
    >
      <p>{circumstancesOf(question)}</p>
      <Result question={question} />
      <AllNotes question={question} />
      <EditedSince record={question.record} />
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

/** When and where it ended, and whose key proved it, where that is another than who answered. */
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

/** The answer, or what counts in its place. */
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

/** Says that a question is another one than that which somebody has begun to answer. */
export function OlderDraft({
  draft,
  discard,
}: {
  readonly draft: Draft;
  readonly discard: () => void;
}) {
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
          ? 'Your answer was sent, but does not count: it was for the version before. Read the question again.'
          : 'Your draft was for the version before. It is not sent; read the question again.'}
      </p>
    </Notice>
  );
}
