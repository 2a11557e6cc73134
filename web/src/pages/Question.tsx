import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { contextParts } from '../../../domain/suspension/context-beside.js';
import { RefusedError } from '../api/http.js';
import type { Question as Asked } from '../api/types.js';
import { Actions, Holder } from '../parts/Actions.js';
import { Amended } from '../parts/Amended.js';
import { Answering } from '../parts/Answering.js';
import { AuditTrail } from '../parts/AuditTrail.js';
import { BackLink } from '../parts/BackLink.js';
import { BlocksTree } from '../parts/BlocksTree.js';
import { Comments } from '../parts/Comments.js';
import { ConfirmAnswer } from '../parts/ConfirmAnswer.js';
import { Context } from '../parts/Context.js';
import { Decision } from '../parts/Decision.js';
import { Elsewhere } from '../parts/Elsewhere.js';
import { Identity } from '../parts/Identity.js';
import { OlderDraft, Outcome } from '../parts/Outcome.js';
import { Problem } from '../parts/Problem.js';
import { QuestionText } from '../parts/QuestionText.js';
import { TimeLeft } from '../parts/TimeLeft.js';
import { Timeline } from '../parts/Timeline.js';
import { Badge, Section } from '../parts/ui.js';
import { Warnings } from '../parts/Warnings.js';
import { Written } from '../parts/Written.js';
import { useAnswering } from '../state/answering.js';
import type { Draft } from '../state/draft.js';
import { olderDrafts, useDraft } from '../state/drafts.js';
import type { Drafting } from '../state/drafts.js';
import { endWord, forWhom, headingOf, kindOf } from '../state/facts.js';
import { leaveField, useKeys } from '../state/keys.js';
import { useQuestion } from '../state/questions.js';
import { isInVain } from '../state/sent-answer.js';
import { useMe } from '../state/session.js';
import { visible } from '../state/visible.js';
import { lastList } from '../state/views.js';
import css from './Question.module.css';

/** One question: what it is about, and where it is answered. */
export function Question({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const question = useQuestion(id);
  useKeys({
    Escape: () => {
      if (!leaveField()) navigate(lastList());
    },
  });
  return (
    <main id="main" className={css.scroller}>
      <div className={css.page}>
        <BackLink />
        {question.isError && !question.data && <h1 className="only-heard">A question</h1>}
        {question.isPending && <p role="status">Loading the question…</p>}
        {question.isError && (
          <Unread error={question.error} retry={() => void question.refetch()} />
        )}
        {question.data && <Loaded question={question.data} readAt={question.dataUpdatedAt} />}
      </div>
    </main>
  );
}

/** Why a question cannot be shown. */
function Unread({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (error instanceof RefusedError && error.problem.code === 'suspension_not_found') {
    const told = error.retold('No question has this address. Its link may be cut off.');
    return <Problem error={told} title="There is no such question" />;
  }
  return <Problem error={error} retry={retry} />;
}

function Loaded({
  question,
  readAt,
}: {
  readonly question: Asked;
  /** When it was read, by the clock of this machine. */
  readonly readAt: number;
}) {
  const { id, record } = question;
  const me = useMe()?.principal;
  const commentRef = useRef<HTMLTextAreaElement>(null);
  const drafting = useDraft(question, me);
  const answering = useAnswering(question, readAt, me, drafting);
  const isOpen = question.state === 'pending';
  const { phase } = answering;
  useHeading(record.question, isOpen);
  return (
    <>
      <Heading question={question} me={me} />
      <Notices question={question} drafting={drafting} me={me} />
      <Amended question={question} />
      <Warnings question={question} />
      {isOpen && (
        <Actions question={question} me={me} comment={() => commentRef.current?.focus()} />
      )}
      <div className={css.columns}>
        <div className={css.main}>
          <Body question={question} />
          <Answering
            question={question}
            drafting={drafting}
            phase={phase}
            send={answering.send}
            forget={answering.cancel}
          />
          <Comments question={question} fieldRef={commentRef} />
        </div>
        <aside className={css.aside} aria-label="About this question">
          <Timeline question={question} />
          <Decision question={question} />
          <BlocksTree id={id} />
          <Identity question={question} />
          <AuditTrail question={question} />
        </aside>
      </div>
      <ConfirmAnswer
        question={question}
        phase={phase}
        confirm={answering.confirm}
        cancel={answering.cancel}
      />
    </>
  );
}

/** What has to be known before one answers: how it ended, or that it is another question by now. */
function Notices({
  question,
  drafting,
  me,
}: {
  readonly question: Asked;
  readonly drafting: Drafting;
  readonly me: string | undefined;
}) {
  const { state, record } = question;
  const ofNoUse = (draft: Draft) => isInVain(draft, question, me);
  if (state === 'settled') {
    const settler = record.submitted_by ?? record.responded_by;
    const isMine = record.resolution === 'responded' && settler === me;
    // After one's own answer a form fills in its defaults, which makes a draft of them.
    const inVain = isMine ? undefined : [drafting.draft, ...olderDrafts(question)].find(ofNoUse);
    return <Outcome question={question} isMine={isMine && drafting.hasCounted} inVain={inVain} />;
  }
  const older = olderDrafts(question).find(ofNoUse);
  return older && <OlderDraft draft={older} discard={drafting.clearOlder} />;
}

function Heading({ question, me }: { readonly question: Asked; readonly me: string | undefined }) {
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
        <Holder question={question} me={me} />
      </p>
      <Written text={headingOf(record.question)} as="h1" />
      <p className={css.under}>
        {kindOf(question)} · asked by {visible(asked_by)}
        {whom !== undefined && ` for ${whom}`}
      </p>
    </header>
  );
}

/** The question as a whole, where its heading is not all of it, and what was given with it. */
function Body({ question: { record } }: { readonly question: Asked }) {
  const { beside, elsewhere } = contextParts(record);
  const hasContext = Object.keys(beside).length > 0;
  const hasMore = Object.keys(elsewhere).length > 0;
  const isPlain = record.text_format !== 'markdown';
  const isWhole = isPlain && headingOf(record.question) === visible(record.question);
  if (isWhole && !hasContext && !hasMore) return null;
  return (
    <Section title={isWhole ? 'Context' : 'Question'}>
      {!isWhole && <QuestionText text={record.question} format={record.text_format} />}
      {hasContext && <Context context={beside} />}
      {hasMore && (
        <div className={css.elsewhere}>
          <Elsewhere context={elsewhere} isOlder={(record.approval?.proposal.version ?? 1) > 1} />
        </div>
      )}
    </Section>
  );
}

function useHeading(question: string, isOpen: boolean): void {
  useEffect(() => {
    document.title = `${isOpen ? '' : 'Settled: '}${headingOf(question)} · Holdpoint`;
  }, [question, isOpen]);
}
