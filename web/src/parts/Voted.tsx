import type { Vote } from '../../../contracts/decision.js';
import type { Answer, Question } from '../api/types.js';
import { answerOf } from '../state/answer-of.js';
import type { Phase } from '../state/answering.js';
import { atTime } from '../state/clock.js';
import type { Draft } from '../state/drafts.js';
import { valueText } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { Note, PhaseNotice } from './AnswerPanel.js';
import { Button, Notice, Section } from './ui.js';
import css from './AnswerPanel.module.css';

/** How somebody edits what is proposed. */
interface Editing {
  readonly draft: Draft;
  readonly update: (change: Partial<Draft>) => void;
  readonly phase: Phase;
  readonly send: (answer: Answer) => void;
  readonly begin: () => void;
  /** Forgets what was edited. */
  readonly stop: () => void;
}

/**
 * What somebody has answered, while the question waits for others. It stands where they would answer. The answer itself stays as
 * it is, but whoever has given it may still edit what is proposed.
 */
export function Voted({
  question,
  vote,
  editing,
}: {
  readonly question: Question;
  readonly vote: Vote;
  /** Undefined where nothing can be edited. */
  readonly editing: Editing | undefined;
}) {
  const { votes, required } = question;
  // Where several have to agree, an answer is one of the choices.
  const agreed = votes.filter(({ value }) => value === vote.value).length;
  const left = required - agreed;
  return (
    <Section title="Your answer">
      <div className={css.panel}>
        <Notice tone="good" title={`You answered: ${valueText(vote.value, question)}`}>
          <p>
            Your answer counts since {atTime(vote.counted_at)}.{' '}
            {left === 1 ? 'One more has to agree.' : `${left} more have to agree.`}
          </p>
        </Notice>
        {editing && <EditAfterAll question={question} editing={editing} />}
      </div>
    </Section>
  );
}

/** Where somebody who has answered approves other arguments: a new version, whose first vote that is. */
function EditAfterAll({
  question,
  editing: { draft, update, phase, send, begin, stop },
}: {
  readonly question: Question;
  readonly editing: Editing;
}) {
  const isEditing = draft.edits !== undefined;
  const answer = isEditing ? answerOf(question, { ...draft, value: 'approved' }) : undefined;
  const isBusy = phase.at === 'sending';
  const isReady = answer?.edits !== undefined;
  const submit = () => {
    if (isReady && !isBusy) send(answer);
  };
  useKeys({ 'Mod+Enter': isEditing ? submit : undefined, e: isEditing ? undefined : begin });
  if (!isEditing) {
    return (
      <div className={css.buttons}>
        <Button shortcut="e" onPress={begin}>
          Edit arguments
        </Button>
      </div>
    );
  }
  return (
    <>
      <p>
        Edited arguments are a new version. Your approval counts for it; everybody else has to agree
        anew.
      </p>
      <Note draft={draft} update={update} />
      <PhaseNotice phase={phase} />
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
        <Button onPress={stop}>Discard the edit</Button>
      </div>
    </>
  );
}
