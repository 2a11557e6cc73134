import type { Answer, Question } from '../api/types.js';
import type { Phase } from '../state/answering.js';
import type { useDraft } from '../state/drafts.js';
import { voteOf } from '../state/facts.js';
import { useMay, useMe } from '../state/session.js';
import { AnswerPanel } from './AnswerPanel.js';
import { EditAfterAll } from './EditAfterAll.js';
import { Proposal } from './Proposal.js';
import { Voted } from './Voted.js';

export type Drafting = ReturnType<typeof useDraft>;

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
  const edit = () => {
    update({ edits: draft.edits ?? {}, value: 'approved' });
  };
  const answering = { question, draft, update, phase, send };
  return (
    <>
      {approval && (
        <Proposal
          approval={approval}
          edits={canEdit ? draft.edits : undefined}
          onEdit={(callId, text) => {
            update({ edits: { ...draft.edits, [callId]: text } });
          }}
        />
      )}
      {vote && (
        <Voted question={question} vote={vote}>
          {canEdit && (
            <EditAfterAll
              {...answering}
              begin={() => {
                forget();
                edit();
              }}
              stop={() => {
                forget();
                drafting.discard();
              }}
            />
          )}
        </Voted>
      )}
      {canAnswer && !vote && <AnswerPanel {...answering} edit={canEdit ? edit : undefined} />}
    </>
  );
}
