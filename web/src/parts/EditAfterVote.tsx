import type { Ref } from 'react';
import { answerOf } from '../state/answer-of.js';
import { isFaulty } from '../state/edits.js';
import { SENDS, useKeys } from '../state/keys.js';
import { Note, PhaseNotice } from './AnswerPanel.js';
import type { AnswerProps } from './AnswerPanel.js';
import { Button } from './ui.js';
import css from './AnswerPanel.module.css';

interface EditProps extends AnswerProps {
  readonly begin: () => void;
  /** The button that begins. */
  readonly beginRef: Ref<HTMLButtonElement>;
  /** Discards the edit. */
  readonly stop: () => void;
}

/** Lets a person who has voted approve other arguments. They are a new version, and the approval is its first vote. */
export function EditAfterVote({
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
