import { useState } from 'react';
import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import { refusalIn } from '../api/http.js';
import type { LinkView } from '../../../contracts/channel/links.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { canSend, saidBy } from '../state/filled.js';
import { useShownForm } from '../state/shown-form.js';
import type { Entered } from '../form/field.js';
import { faultIn } from '../state/field-fault.js';
import { SENDS, useKeys } from '../state/keys.js';
import { useLinkAnswering } from '../state/link-answering.js';
import type { LinkPhase } from '../state/link-answering.js';
import { linkedChoice, questionToken } from '../state/one-time-link.js';
import { AnswerFields } from './AnswerFields.js';
import { choiceKeys, choicesOf } from './Choices.js';
import { Confirm } from './Confirm.js';
import { Problem } from './Problem.js';
import { Sends } from './Sends.js';
import { Button, Notice, Section } from './ui.js';
import css from './LinkAnswer.module.css';

const STALE: Readonly<Record<string, string>> = {
  link_used: 'This link was used already',
  link_stale: 'This link is out of date',
  link_expired: 'This link has expired',
  link_invalid: 'This link is not from Holdpoint',
};

interface LinkProblemProps {
  readonly error: unknown;
  readonly retry: () => void;
}

/** Says why a link does not work, and offers the inbox if it never will. */
export function LinkProblem({ error, retry }: LinkProblemProps) {
  const problem = refusalIn(error);
  const title = problem && STALE[problem.code];
  return (
    <Problem
      error={error}
      isReply
      title={title}
      retry={problem ? undefined : retry}
      actions={title && <a href="/inbox/">Open the inbox</a>}
    />
  );
}

/** The fields and the button of an answer by a link, which works once. */
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
          kind={isDangerous(chosen) ? 'danger' : 'primary'}
          isDisabled={!isReady}
          isPending={isSending}
          onPress={submit}
        >
          {isSending ? 'Sending…' : chosen ? `Send: ${chosen.label}` : 'Send answer'}
        </Button>
      </div>
      {phase.at === 'asking' && (
        <Confirm
          label={chosen?.label ?? 'Send answer'}
          held={phase.held}
          isDanger={!phase.held}
          confirm={confirm}
          cancel={cancel}
        >
          <Sends asked={asked} answer={phase.answer} />
          <p>This cannot be taken back.</p>
        </Confirm>
      )}
    </Section>
  );
}

function isDone({ at }: LinkPhase): boolean {
  return at === 'counted' || at === 'settled' || at === 'handed_over';
}

/** Says what happened to the answer. The link is used up, so there is no more to do here. */
function Sent({ phase }: { readonly phase: LinkPhase }) {
  if (phase.at === 'handed_over') {
    return (
      <Notice tone="warn" title="Handed over, not confirmed yet">
        <p>
          Your answer is kept, and the time at which you sent it counts. There is no need to send it
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
