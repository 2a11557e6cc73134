import { answerOf, isFaulty } from '../../state/answering/edits.js';
import { SENDS, useKeys } from '../../state/keys.js';
import { AnswerPanel, Note, PhaseNotice, type AnswerProps } from './AnswerPanel.js';
import { Button, Notice, Section } from '../ui.js';
import css from './AnswerPanel.module.css';
import { useRef, type ReactNode, type Ref } from 'react';
import { flushSync } from 'react-dom';
import type { Vote } from '../../../../contracts/suspension/decision.js';
import type { Question } from '../../api/types.js';
import type { Answering as State } from '../../state/answering/answering.js';
import { atTime } from '../../state/clock.js';
import type { Drafting } from '../../state/answering/drafts.js';
import { useEditing } from '../../state/answering/editing.js';
import { valueText, voteOf } from '../../state/facts.js';
import { isGiven } from '../../state/phase.js';
import { useMay, usePrincipal } from '../../state/session.js';
import type { Walk } from '../../state/list/walk.js';
import { EditedSince, Proposal } from '../question/Proposal.js';
import { NextButton } from '../Navigation.js';
import { Unsent } from './Unsent.js';

interface EditProps extends AnswerProps {
  readonly begin: () => void;
  readonly beginRef: Ref<HTMLButtonElement>;
  readonly stop: () => void;
}

/** Lets a person who has voted approve other arguments, as a new version with the approval as its first vote. */
function EditAfterVote({
  question,
  draft,
  update,
  phase,
  send,
  walk,
  isChecked,
  begin,
  beginRef,
  stop,
}: EditProps) {
  const isEditing = draft.edits !== undefined;
  const answer = isEditing ? answerOf(question, { ...draft, value: 'approved' }) : undefined;
  const isBusy = phase.at === 'sending';
  const isReady = answer?.edits !== undefined || (isEditing && isFaulty(question, draft));
  const submit = () => {
    if (isReady && !isBusy && isChecked() && answer) send(answer);
  };
  useKeys({ 'Mod+Enter': isEditing ? submit : undefined, e: isEditing ? undefined : begin });
  if (!isEditing) {
    return (
      <>
        <PhaseNotice phase={phase} walk={walk} />
        <div className={css.buttons}>
          <Button shortcut="e" onPress={begin} ref={beginRef}>
            Edit arguments
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        Edited arguments are a new version. Your approval counts for it; everybody else has to agree
        anew.
      </p>
      <div {...SENDS}>
        <Note draft={draft} update={update} />
      </div>
      <PhaseNotice phase={phase} walk={walk} />
      <div className={css.buttons}>
        <Button
          kind="primary"
          isDisabled={!isReady}
          isPending={isBusy}
          shortcut="Control+Enter"
          onPress={submit}
        >
          {isBusy ? 'Sending…' : 'Approve as edited…'}
        </Button>
        <Button isDisabled={isBusy} onPress={stop}>
          Discard the edit
        </Button>
      </div>
    </>
  );
}

interface AnsweringProps {
  readonly question: Question;
  readonly drafting: Drafting;
  readonly answering: State;
  readonly walk: Walk;
}

export function Answering({ question, drafting, answering, walk }: AnsweringProps) {
  const { draft, update } = drafting;
  const { phase, send, cancel } = answering;
  const may = useMay();
  const { approval } = question.record;
  const isOpen = question.state === 'pending';
  const canAnswer = isOpen && may('respond');
  // A person who has voted may edit too: an edit makes a new version, on which everybody votes again.
  const canEdit = canAnswer && approval !== undefined && approval.proposal.calls.length > 0;
  const editorRef = useRef<HTMLTextAreaElement>(null);
  const beginRef = useRef<HTMLButtonElement>(null);
  const typing: Drafting = {
    ...drafting,
    update: (change) => {
      // Somebody who continues editing does not want to send the earlier version.
      if (phase.at === 'unsent') cancel();
      update(change);
    },
  };
  const editing = useEditing(question, typing, phase);
  // The pressed button disappears, so the focus moves to the element that takes its place.
  const edit = () => {
    flushSync(() => {
      cancel();
      editing.begin();
    });
    editorRef.current?.focus();
  };
  const stop = () => {
    flushSync(() => {
      cancel();
      drafting.clear();
    });
    beginRef.current?.focus();
  };
  const { isChecked } = editing;
  return (
    <>
      {approval && isOpen && <EditedSince question={question} />}
      {approval && (
        <Proposal
          approval={approval}
          editing={canEdit && draft.edits ? editing : undefined}
          editorRef={editorRef}
        />
      )}
      {isOpen && (
        <Place
          {...{ question, draft, update, phase, send, isChecked, walk }}
          undo={answering.undo}
          canAnswer={canAnswer}
          edit={canEdit ? edit : undefined}
          beginRef={beginRef}
          stop={stop}
        />
      )}
    </>
  );
}

interface PlaceProps extends AnswerProps {
  readonly undo: State['undo'];
  readonly canAnswer: boolean;
  readonly edit: (() => void) | undefined;
  readonly beginRef: Ref<HTMLButtonElement>;
  readonly stop: () => void;
}

/** The place of the answer: its fields, or the answer that was given. */
function Place({ undo, canAnswer, edit, beginRef, stop, ...shared }: PlaceProps) {
  const { question, phase, walk } = shared;
  const vote = voteOf(question, usePrincipal());
  if (isGiven(phase)) return <Unsent question={question} phase={phase} undo={undo} walk={walk} />;
  if (vote) {
    return (
      <Voted question={question} vote={vote} walk={walk}>
        {edit && <EditAfterVote {...shared} begin={edit} beginRef={beginRef} stop={stop} />}
      </Voted>
    );
  }
  return canAnswer && <AnswerPanel {...shared} edit={edit} />;
}

interface VotedProps {
  readonly question: Question;
  readonly vote: Vote;
  readonly walk: Walk;
  readonly children: ReactNode;
}

/** The answer of a person while the question waits for others, in place of the fields. */
function Voted({ question, vote, walk, children }: VotedProps) {
  const { votes, required } = question;
  // If several have to agree, an answer is one of the choices.
  const agreed = votes.filter(({ value }) => value === vote.value).length;
  const left = required - agreed;
  return (
    <Section title="Your answer">
      <div className={css.panel}>
        <Notice
          tone="good"
          title={`You answered: ${valueText(vote.value, question)}`}
          actions={<NextButton walk={walk} />}
        >
          <p>
            Your answer has counted since {atTime(vote.counted_at)}.{' '}
            {left === 1 ? 'One more has to agree.' : `${left} more have to agree.`}
          </p>
        </Notice>
        {children}
      </div>
    </Section>
  );
}
