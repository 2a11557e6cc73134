import { useEffect, useRef, useState } from 'react';
import { contextParts } from '../../../domain/suspension/asking/context-beside.js';
import { RefusedError } from '../api/http.js';
import type { Question as Asked } from '../api/types.js';
import { Actions, Holder } from '../parts/question/Actions.js';
import { Amended, BlocksTree, Identity } from '../parts/question/QuestionFacts.js';
import { Answering } from '../parts/answer/Answering.js';
import { AuditTrail, Timeline } from '../parts/question/Timeline.js';
import { BackLink, useLeaving } from '../parts/Navigation.js';
import { Comments } from '../parts/question/Comments.js';
import { ConfirmAnswer } from '../parts/answer/ConfirmAnswer.js';
import { Context } from '../parts/question/Context.js';
import { Decision, OlderDraft, Outcome } from '../parts/question/Outcome.js';
import { Elsewhere, FoldedContext, QuestionText } from '../parts/question/QuestionText.js';
import { Problem } from '../parts/Problem.js';
import { TimeLeft } from '../parts/question/TimeLeft.js';
import { Badge, Notice, Section, cx } from '../parts/ui.js';
import { Written } from '../parts/question/Written.js';
import { useAnswering } from '../state/answering/answering.js';
import type { Draft } from '../state/answering/draft.js';
import { olderDrafts, useDraft, type Drafting } from '../state/answering/drafts.js';
import { endWord, forWhom, headingOf, kindOf, voteOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useWide } from '../state/list/narrow.js';
import { isAnswered } from '../state/phase.js';
import { useQuestion } from '../state/list/questions.js';
import { isInVain } from '../state/answering/sent-answer.js';
import { usePrincipal } from '../state/session.js';
import { visible } from '../state/list/visible.js';
import { useArrival, useWalk, type Walk } from '../state/list/walk.js';
import css from './Question.module.css';

export function Question({ id }: { readonly id: string }) {
  const question = useQuestion(id);
  const isWide = useWide();
  useLeaving();
  useArrival(id, question.data !== undefined || question.isError);
  return (
    <div className={cx('scroller', css.pane)}>
      <div className={css.page}>
        {!isWide && <BackLink />}
        {question.isError && !question.data && <h1 className="only-heard">A question</h1>}
        {question.isPending && <p role="status">Loading the question…</p>}
        {question.isError && (
          <Unread error={question.error} retry={() => void question.refetch()} />
        )}
        {question.data && <Loaded question={question.data} readAt={question.dataUpdatedAt} />}
      </div>
    </div>
  );
}

function Unread({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (error instanceof RefusedError && error.problem.code === 'suspension_not_found') {
    const retold = error.retold('No question has this address. Its link may be cut off.');
    return <Problem error={retold} title="There is no such question" />;
  }
  return <Problem error={error} retry={retry} />;
}

interface LoadedProps {
  readonly question: Asked;
  /** When it was read, in ms by the clock of this machine. */
  readonly readAt: number;
}

function Loaded({ question, readAt }: LoadedProps) {
  const { id, record } = question;
  const me = usePrincipal();
  const commentRef = useRef<HTMLTextAreaElement>(null);
  const drafting = useDraft(question, me);
  const answering = useAnswering(question, readAt, me, drafting);
  const walk = useWalk(id);
  const [wasOpen] = useState(question.state === 'pending');
  const isOpen = question.state === 'pending';
  const isDone = !isOpen || isAnswered(answering.phase) || voteOf(question, me) !== undefined;
  useHeading(record.question, isOpen);
  useWalkKeys(walk, isDone);
  return (
    <>
      <Heading question={question} />
      <Notices question={question} drafting={drafting} me={me} wasOpen={wasOpen} walk={walk} />
      <Amended question={question} />
      {isOpen && <Warnings question={question} />}
      {isOpen && <Actions question={question} comment={() => commentRef.current?.focus()} />}
      <div className={css.columns}>
        <div className={css.main}>
          <Body question={question} />
          <Answering question={question} drafting={drafting} answering={answering} walk={walk} />
          <Comments question={question} fieldRef={commentRef} />
          <RestOfContext question={question} />
        </div>
        <aside className={css.aside} aria-label="About this question">
          <Timeline question={question} />
          <Decision question={question} />
          <BlocksTree id={id} />
          <Identity question={question} />
          <AuditTrail question={question} />
        </aside>
      </div>
      <ConfirmAnswer question={question} answering={answering} />
    </>
  );
}

/** Binds the keys that go through the list. Enter goes to the next question once nothing remains to be done here. */
function useWalkKeys({ next, previous, go, goOn }: Walk, isDone: boolean): void {
  useKeys({
    j: () => {
      if (isDone) goOn();
      else if (next) go(next);
    },
    k: previous && (() => go(previous)),
    Enter: isDone ? goOn : undefined,
  });
}

interface NoticesProps {
  readonly question: Asked;
  readonly drafting: Drafting;
  readonly me: string | undefined;
  /** Whether the question was open when the page was opened. */
  readonly wasOpen: boolean;
  readonly walk: Walk;
}

/** Says how the question ended, or that it was changed since somebody began to answer. */
function Notices({ question, drafting, me, wasOpen, walk }: NoticesProps) {
  const { state, record } = question;
  const ofNoUse = (draft: Draft) => isInVain(draft, question, me);
  if (state === 'settled') {
    const settler = record.submitted_by ?? record.responded_by;
    const isMine = record.resolution === 'responded' && settler === me;
    // After one's own answer a form fills in its defaults again, which begins a draft.
    const inVain = isMine ? undefined : [drafting.draft, ...olderDrafts(question)].find(ofNoUse);
    return (
      <Outcome
        question={question}
        isMine={isMine && drafting.hasCounted}
        isNew={wasOpen}
        inVain={inVain}
        walk={walk}
      />
    );
  }
  const older = olderDrafts(question).find(ofNoUse);
  return older && <OlderDraft draft={older} discard={drafting.clearOlder} />;
}

/** Shows the warnings that the asker got about unusual parts of the question. */
function Warnings({ question: { warnings = [] } }: { readonly question: Asked }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="info" title="Something is unusual about this question">
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Written text={warning} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Heading({ question }: { readonly question: Asked }) {
  const { record, asked_by, state, approvals, required } = question;
  const whom = forWhom(question);
  return (
    <header className={css.heading}>
      <p className={css.over}>
        {state === 'pending' ? (
          <TimeLeft expiresAt={record.expires_at} isLong />
        ) : (
          <Badge>{endWord(question)}</Badge>
        )}
        {required > 1 && (
          <Badge tone="info">
            {approvals} of {required} agree
          </Badge>
        )}
        <Holder question={question} />
      </p>
      <Written text={headingOf(record.question)} as="h1" />
      <p className={css.under}>
        {kindOf(question)} · asked by {visible(asked_by)}
        {whom !== undefined && ` for ${whom}`}
      </p>
    </header>
  );
}

/** The whole question, unless the heading already shows it, and its context. */
function Body({ question: { record } }: { readonly question: Asked }) {
  const { beside } = contextParts(record);
  const hasContext = Object.keys(beside).length > 0;
  const isPlain = record.text_format !== 'markdown';
  const isWhole = isPlain && headingOf(record.question) === visible(record.question);
  if (isWhole && !hasContext) return null;
  return (
    <Section title={isWhole ? 'Context' : 'Question'}>
      {!isWhole && <QuestionText text={record.question} format={record.text_format} />}
      {hasContext && <Context context={beside} />}
    </Section>
  );
}

/** The rest of the context, folded: what the page shows already, and what only helps to find the program that asks. */
function RestOfContext({ question: { record } }: { readonly question: Asked }) {
  const { elsewhere, plumbing } = contextParts(record);
  return (
    <div className={css.rest}>
      <Elsewhere context={elsewhere} isOlder={(record.approval?.proposal.version ?? 1) > 1} />
      <FoldedContext title="For engineers" context={plumbing} />
    </div>
  );
}

function useHeading(question: string, isOpen: boolean): void {
  useEffect(() => {
    document.title = `${isOpen ? '' : 'Settled: '}${headingOf(question)} · Holdpoint`;
  }, [question, isOpen]);
}
