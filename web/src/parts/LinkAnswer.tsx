import { useState } from 'react';
import { RefusedError } from '../api/http.js';
import type { LinkView } from '../../../contracts/links.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { canSend, saidBy } from '../state/filled.js';
import { useShownForm } from '../state/shown-form.js';
import type { Entered } from '../form/field.js';
import { atTime } from '../state/clock.js';
import { faultIn } from '../state/field-fault.js';
import { SENDS, useKeys } from '../state/keys.js';
import { useLinkAnswering } from '../state/link-answering.js';
import type { LinkPhase } from '../state/link-answering.js';
import { linkedChoice, questionToken } from '../state/one-time-link.js';
import { visible } from '../state/visible.js';
import { AnswerFields } from './AnswerFields.js';
import { choiceKeys, choicesOf } from './Choices.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Problem } from './Problem.js';
import { Sends } from './Sends.js';
import { Button, Notice, Section } from './ui.js';
import css from './LinkAnswer.module.css';

const STALE: Readonly<Record<string, string>> = {
  link_used: 'This link was used already',
  link_stale: 'This link is out of date',
  link_expired: 'This link has expired',
  link_invalid: 'This is no link of ours',
};

/** A link that leads nowhere any more, with what happened instead. */
export function LinkProblem({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry: () => void;
}) {
  const code = error instanceof RefusedError ? error.problem.code : '';
  const title = STALE[code];
  return (
    <Problem
      error={error}
      isReply
      {...(title !== undefined && { title })}
      {...(code === '' && { retry })}
      {...(title !== undefined && { actions: <a href="/inbox/">Open the inbox</a> })}
    />
  );
}

/** The answer by a link, which works once. */
export function LinkAnswer({ view }: { readonly view: LinkView }) {
  const { fields = null, ...question } = view.question;
  const choices = choicesOf(question);
  const [value, setValue] = useState<JsonValue>(
    () => choices.find((choice) => choice.value === linkedChoice)?.value ?? '',
  );
  const [form, setForm] = useState<Entered>();
  const { phase, send, confirm, cancel } = useLinkAnswering(questionToken, view);
  const chosen = choices.find((choice) => choice.value === value);
  const asked = { ...question, context: { fields } };
  const shown = useShownForm(asked);
  const isReady = canSend(asked, { value, form }) && shown.isShown;
  const isSending = phase.at === 'sending';
  const submit = () => {
    if (phase.at !== 'writing' || !isReady || !shown.isChecked()) return;
    const said = saidBy(asked, { value, form });
    if (said) send(said);
  };
  useKeys({ 'Mod+Enter': submit, ...choiceKeys(choices, setValue) });
  if (isDone(phase)) return <Sent phase={phase} />;
  const error = phase.at === 'writing' ? phase.error : undefined;
  return (
    <Section title="Your answer">
      <div className={css.fields} {...SENDS}>
        <AnswerFields
          asked={asked}
          value={value}
          onChange={setValue}
          form={form}
          onForm={setForm}
          fault={faultIn(error)}
          onReady={shown.onReady}
        />
        {error !== undefined && <LinkProblem error={error} retry={submit} />}
        <Button
          kind={chosen?.style === 'danger' ? 'danger' : 'primary'}
          isDisabled={!isReady}
          isPending={isSending}
          onPress={submit}
        >
          {isSending ? 'Sending…' : chosen ? `Send: ${chosen.label}` : 'Send answer'}
        </Button>
      </div>
      <AskOnceMore asked={asked} phase={phase} label={chosen?.label} back={cancel} send={confirm} />
    </Section>
  );
}

function isDone({ at }: LinkPhase): boolean {
  return at === 'counted' || at === 'settled' || at === 'handed_over';
}

/** Asks once more before an answer that cannot be taken back, or to a question that somebody else has. */
function AskOnceMore({
  asked,
  phase,
  label = 'Send answer',
  back,
  send,
}: {
  readonly asked: LinkView['question'];
  readonly phase: LinkPhase;
  readonly label: string | undefined;
  readonly back: () => void;
  readonly send: () => void;
}) {
  if (phase.at !== 'asking') return null;
  const { answer, held } = phase;
  const holder = held && visible(held.holder);
  return (
    <Dialog
      title={holder ? `${holder} has this question` : `${label}?`}
      mustAnswer
      onClose={back}
      onSend={send}
    >
      {held && (
        <p>
          {holder} has claimed it until {atTime(held.expires_at)}. You can answer all the same.
        </p>
      )}
      <Sends asked={asked} answer={answer} />
      <p>This cannot be taken back.</p>
      <DialogButtons>
        <Button autoFocus onPress={back}>
          Back
        </Button>
        <Button kind={held ? 'primary' : 'danger'} onPress={send}>
          {held ? 'Answer all the same' : label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** What became of the answer. The link is used up; there is no more to do here. */
function Sent({ phase }: { readonly phase: LinkPhase }) {
  if (phase.at === 'handed_over') {
    return (
      <Notice tone="warn" title="Handed over, not confirmed yet">
        <p>
          Your answer is kept and will be judged by when you sent it. There is no need to send it
          again.
        </p>
      </Notice>
    );
  }
  const isLast = phase.at !== 'counted';
  return (
    <Notice tone="good" title="Thank you, your answer counts">
      <p>
        {isLast
          ? 'The agent goes on. You can close this page.'
          : `It is answer ${phase.approvals} of ${phase.required} that are needed. You can close this page.`}
      </p>
    </Notice>
  );
}
