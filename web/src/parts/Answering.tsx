import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Answer, Question } from '../api/types.js';
import type { Drafting } from '../state/drafts.js';
import { voteOf } from '../state/facts.js';
import type { Phase } from '../state/phase.js';
import { useMay, useMe } from '../state/session.js';
import { AnswerPanel } from './AnswerPanel.js';
import { EditAfterVote } from './EditAfterVote.js';
import { EditedSince } from './EditedSince.js';
import { Proposal } from './Proposal.js';
import { Voted } from './Voted.js';

/** What is proposed, which can be edited, and where the question is answered. */
export function Answering({
  question,
  drafting,
  phase,
  send,
  forget,
}: {
  readonly question: Question;
  readonly drafting: Drafting;
  readonly phase: Phase;
  readonly send: (answer: Answer) => void;
  /** Forgets what became of the answer before. */
  readonly forget: () => void;
}) {
  const { draft, update } = drafting;
  const may = useMay();
  const me = useMe()?.principal;
  const { approval } = question.record;
  const isOpen = question.state === 'pending';
  const vote = isOpen ? voteOf(question, me) : undefined;
  const canAnswer = isOpen && may('respond');
  // Also after one's own vote: an edit makes a new version, on which everybody votes anew.
  const canEdit = canAnswer && approval !== undefined && approval.proposal.calls.length > 0;
  const editorRef = useRef<HTMLTextAreaElement>(null);
  const beginRef = useRef<HTMLButtonElement>(null);
  // What was pressed goes away, and whoever pressed it goes on where its opposite is.
  const edit = () => {
    flushSync(() => {
      forget();
      update({ edits: draft.edits ?? {}, value: 'approved' });
    });
    editorRef.current?.focus();
  };
  const stop = () => {
    flushSync(() => {
      forget();
      drafting.clear();
    });
    beginRef.current?.focus();
  };
  const answering = { question, draft, update, phase, send };
  return (
    <>
      {approval && isOpen && <EditedSince record={question.record} />}
      {approval && (
        <Proposal
          approval={approval}
          edits={canEdit ? draft.edits : undefined}
          onEdit={(callId, text) => {
            update({ edits: { ...draft.edits, [callId]: text } });
          }}
          editorRef={editorRef}
        />
      )}
      {vote && (
        <Voted question={question} vote={vote}>
          {canEdit && <EditAfterVote {...answering} begin={edit} beginRef={beginRef} stop={stop} />}
        </Voted>
      )}
      {canAnswer && !vote && <AnswerPanel {...answering} edit={canEdit ? edit : undefined} />}
    </>
  );
}
