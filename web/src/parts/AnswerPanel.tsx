import { isDangerous } from '../../../domain/suspension/once-more.js';
import { RefusedError } from '../api/http.js';
import type { Answer, Question } from '../api/types.js';
import { answerOf, canSendDraft } from '../state/answer-of.js';
import type { Draft } from '../state/draft.js';
import { soFar } from '../state/filled.js';
import { useShownForm } from '../state/shown-form.js';
import { faultIn } from '../state/field-fault.js';
import { SENDS, useKeys } from '../state/keys.js';
import type { Phase } from '../state/phase.js';
import { AnswerFields } from './AnswerFields.js';
import { choiceKeys, choicesOf } from './Choices.js';
import { Problem } from './Problem.js';
import { Button, Notice, Section } from './ui.js';
import { Written } from './Written.js';
import css from './AnswerPanel.module.css';

/** What is answered, with what, and how far that has come. */
export interface AnswerProps {
  readonly question: Question;
  readonly draft: Draft;
  readonly update: (change: Partial<Draft>) => void;
  readonly phase: Phase;
  readonly send: (answer: Answer) => void;
}

interface PanelProps extends AnswerProps {
  /** Begins to edit what is proposed; undefined where nothing can be edited. */
  readonly edit: (() => void) | undefined;
}

/** Where a question is answered. Nothing is sent before its button is pressed, or Ctrl Enter. */
export function AnswerPanel({ question, draft, update, phase, send, edit }: PanelProps) {
  const { record } = question;
  const choices = choicesOf(record);
  const shown = useShownForm(record);
  const answer = answerOf(question, draft);
  const isBusy = phase.at === 'sending';
  const isReady = canSendDraft(question, draft) && shown.isShown;
  const submit = () => {
    const canGo = isReady && !isBusy && shown.isChecked();
    if (canGo && answer) send(answer);
  };
  useKeys({
    'Mod+Enter': submit,
    e: edit,
    ...choiceKeys(choices, (value) => {
      update({ value });
    }),
  });
  return (
    <Section title="Your answer" className={css.section}>
      <div className={css.panel} {...SENDS}>
        <div className={css.fields}>
          <AnswerFields
            asked={record}
            value={draft.value}
            onChange={(value) => {
              update({ value });
            }}
            form={draft.form}
            onForm={(form) => {
              update(withForm(record, form));
            }}
            fault={faultOf(phase)}
            onReady={shown.onReady}
          />
          {choices.length > 0 && <Note draft={draft} update={update} />}
          <PhaseNotice phase={phase} />
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
          <Edit edit={draft.edits === undefined ? edit : undefined} />
          <Hint />
        </div>
      </div>
    </Section>
  );
}

function faultOf(phase: Phase) {
  return phase.at === 'failed' ? faultIn(phase.error) : undefined;
}

/** What a form says so far is kept to be copied; `answerOf` reads the form itself. */
function withForm(record: Question['record'], form: Draft['form']): Partial<Draft> {
  return { form, ...(record.response_type === 'form' && { value: soFar(record, form) }) };
}

function Edit({ edit }: Pick<PanelProps, 'edit'>) {
  if (!edit) return null;
  return (
    <Button shortcut="e" onPress={edit}>
      Edit arguments
    </Button>
  );
}

function Hint() {
  return (
    <span className={css.hint} aria-hidden="true">
      <kbd>Ctrl</kbd> <kbd>Enter</kbd>
    </span>
  );
}

/** What goes with a decision, in one line or several. It is a part of the answer, which Ctrl Enter sends. */
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

/** What became of the last answer, as long as the question is open. */
export function PhaseNotice({ phase }: { readonly phase: Phase }) {
  switch (phase.at) {
    case 'counted':
      return (
        <Notice tone="good" title={`Your answer counts: ${phase.approvals} of ${phase.required}`}>
          <p>The question stays open until enough others agree.</p>
        </Notice>
      );
    case 'handed_over':
      return (
        <Notice tone="warn" title="Handed over, not confirmed yet">
          <p>
            No worker has taken your answer so far. It is kept and will be judged by when you sent
            it. This page says what became of it; there is no need to send it again.
            {phase.isChanged && ' What you have changed since is no part of it.'}
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
      return <Problem error={phase.error} title={titleOf(phase)} isReply />;
    default:
      return null;
  }
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
  if (!(error instanceof RefusedError)) return undefined;
  return isLost ? IN_DOUBT : TITLES[error.problem.code];
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
