import { useState } from 'react';
import { isDangerous } from '../../../../domain/suspension/form/once-more.js';
import type { JsonValue } from '../../../../contracts/kernel/primitives.js';
import { refusalIn } from '../../api/http.js';
import type { Answer, Question } from '../../api/types.js';
import { answerOf, canSendDraft } from '../../state/answering/edits.js';
import type { Draft } from '../../state/answering/draft.js';
import { faultIn, soFar, useShownForm } from '../../state/answering/form-state.js';
import { SENDS, isTypingElsewhere, useKeys } from '../../state/keys.js';
import { useNarrow } from '../../state/list/narrow.js';
import type { Phase } from '../../state/phase.js';
import type { Walk } from '../../state/list/walk.js';
import { AnswerFields } from './AnswerFields.js';
import { choiceKeys, choicesOf } from './Choices.js';
import { NextButton } from '../Navigation.js';
import { Problem } from '../Problem.js';
import { Button, Notice, Section } from '../ui.js';
import { Written } from '../question/Written.js';
import css from './AnswerPanel.module.css';

export interface AnswerProps {
  readonly question: Question;
  readonly draft: Draft;
  readonly update: (change: Partial<Draft>) => void;
  readonly phase: Phase;
  readonly send: (answer: Answer) => void;
  readonly walk: Walk;
  /** Marks the faults in edited arguments. Returns whether there are none. */
  readonly isChecked: () => boolean;
}

interface PanelProps extends AnswerProps {
  /** Begins to edit the proposal; undefined if nothing can be edited. */
  readonly edit: (() => void) | undefined;
}

/** The place to answer a question. Only its button, or Ctrl Enter, sends the answer. */
export function AnswerPanel(props: PanelProps) {
  const { question, draft, update, phase, send, isChecked, edit, walk } = props;
  const { record } = question;
  const choices = choicesOf(record);
  const shown = useShownForm(record);
  const answer = answerOf(question, draft);
  const isBusy = phase.at === 'sending';
  const isReady = canSendDraft(question, draft) && shown.isShown;
  const submit = () => {
    const canGo = isReady && !isBusy && isChecked() && shown.isChecked();
    if (canGo && answer) send(answer);
  };
  const choose = (value: JsonValue) => {
    update({ value });
  };
  useKeys({ 'Mod+Enter': submit, e: edit, ...choiceKeys(choices, choose) });
  const sheet = useSheet();
  return (
    <Section title="Your answer" aside={sheet.button} className={css.section}>
      <div className={css.panel} hidden={sheet.isFolded} {...SENDS}>
        <div className={css.fields}>
          <AnswerFields
            asked={record}
            value={draft.value}
            onChange={choose}
            form={draft.form}
            onForm={(form) => {
              update(withForm(record, form));
            }}
            fault={phase.at === 'failed' ? faultIn(phase.error) : undefined}
            onReady={shown.onReady}
          />
          {choices.length > 0 && <Note draft={draft} update={update} />}
          <PhaseNotice phase={phase} walk={walk} />
        </div>
        <div className={css.buttons}>
          <Button
            kind={kindOf(question, draft)}
            isDisabled={!isReady}
            isPending={isBusy}
            shortcut="Control+Enter"
            onPress={submit}
          >
            {isBusy ? 'Sending…' : sendLabel(question, draft)}
          </Button>
          {draft.edits === undefined && edit && (
            <Button shortcut="e" onPress={edit}>
              Edit arguments
            </Button>
          )}
          <span className={css.hint} aria-hidden="true">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      </div>
    </Section>
  );
}

/** On a phone the answer is a sheet over the page. A button folds it, so that there is room to read. */
function useSheet() {
  const isNarrow = useNarrow();
  const [isFolded, setFolded] = useState(false);
  const button = isNarrow && (
    <button
      type="button"
      className={css.fold}
      aria-expanded={!isFolded}
      onClick={() => {
        setFolded(!isFolded);
      }}
    >
      {isFolded ? 'Answer' : 'Read first'}
    </button>
  );
  return { isFolded: isNarrow && isFolded, button: button || undefined };
}

/** Keeps the value of a form so far, to be copied; `answerOf` reads the form itself. */
function withForm(record: Question['record'], form: Draft['form']): Partial<Draft> {
  return record.response_type === 'form' ? { form, value: soFar(record, form) } : { form };
}

/** A note with a decision. It is a part of the answer, which Ctrl Enter sends. */
export function Note({ draft, update }: Pick<PanelProps, 'draft' | 'update'>) {
  return (
    <textarea
      className={css.note}
      dir="auto"
      rows={1}
      aria-label="A note with your answer"
      placeholder="A note with your answer, for the agent"
      value={draft.note ?? ''}
      onChange={(event) => {
        update({ note: event.target.value });
      }}
    />
  );
}

/** Says what happened to the last answer, as long as the question is open. */
export function PhaseNotice({ phase, walk }: Pick<AnswerProps, 'phase' | 'walk'>) {
  switch (phase.at) {
    case 'undone':
      return (
        <Notice tone="info" title="Not sent" replyTo="undone">
          <p>Your answer is still here.</p>
        </Notice>
      );
    case 'counted':
      return (
        <Notice
          tone="good"
          title={`Your answer counts: ${phase.approvals} of ${phase.required}`}
          actions={<NextButton walk={walk} />}
        >
          <p>The question stays open until enough others agree.</p>
        </Notice>
      );
    case 'handed_over':
      return (
        <Notice
          tone="warn"
          title="Handed over, not confirmed yet"
          actions={<NextButton walk={walk} />}
        >
          <p>
            No worker has taken your answer so far. It is kept, and the time at which you sent it
            counts. This page will show the result; there is no need to send it again.
            {phase.isChanged && ' Your changes since then are not part of it.'}
          </p>
        </Notice>
      );
    case 'unseen':
      return (
        <Notice tone="warn" title={IN_DOUBT}>
          <p>
            The question does not show it so far.{' '}
            {phase.isChanged
              ? 'It may still count, even if you send another one.'
              : 'Send it again unchanged to be sure: if the first one is still on its way, they count once.'}
          </p>
        </Notice>
      );
    case 'refused':
      return (
        <Notice
          tone="danger"
          isAlert
          replyTo={phase.why}
          title={TITLES[phase.code] ?? 'Your answer was refused'}
        >
          <Written text={phase.why} as="p" />
        </Notice>
      );
    case 'failed':
      return <Failed key={String(phase.error)} phase={phase} />;
    default:
      return null;
  }
}

/** Says why an answer was refused. The focus stays with somebody who writes a comment meanwhile. */
function Failed({ phase }: { readonly phase: Extract<Phase, { at: 'failed' }> }) {
  const [isReply] = useState(() => !isTypingElsewhere());
  return <Problem error={phase.error} title={titleOf(phase)} isReply={isReply} />;
}

const IN_DOUBT = 'Your answer may not have arrived';
const TITLES: Readonly<Record<string, string>> = {
  not_eligible: 'You may not answer this one',
  already_voted: 'You have answered already',
  suspension_settled: 'Somebody was faster',
  question_version_mismatch: 'The question was changed meanwhile',
  invalid_value: 'The answer does not fit',
};

function titleOf({ error, isLost }: Extract<Phase, { at: 'failed' }>): string | undefined {
  const problem = refusalIn(error);
  return problem && (isLost ? IN_DOUBT : TITLES[problem.code]);
}

function kindOf({ record }: Question, { value }: Draft): 'danger' | 'primary' {
  return isDangerous(choicesOf(record).find((one) => one.value === value)) ? 'danger' : 'primary';
}

function sendLabel({ record }: Question, { value, edits }: Draft): string {
  const choice = choicesOf(record).find((one) => one.value === value);
  if (choice === undefined) return 'Send answer';
  const isEdited = value === 'approved' && edits !== undefined && Object.keys(edits).length > 0;
  return isEdited ? `${choice.label} as edited…` : `Send: ${choice.label}`;
}
