import { useState } from 'react';
import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import { refusalIn } from '../api/http.js';
import type { LinkView } from '../../../contracts/channel/links.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { canSend, faultIn, saidBy, useShownForm } from '../state/answering/form-state.js';
import type { Entered } from '../form/field.js';
import { SENDS, useKeys } from '../state/keys.js';
import {
  linkedChoice,
  questionToken,
  useLinkAnswering,
  type LinkPhase,
} from '../state/one-time-link.js';
import { AnswerFields } from '../parts/answer/AnswerFields.js';
import { choiceKeys, choicesOf } from '../parts/answer/Choices.js';
import { Confirm } from '../parts/Dialog.js';
import { Problem } from '../parts/Problem.js';
import { Sends } from '../parts/answer/Sends.js';
import { Button, Notice, Section } from '../parts/ui.js';
import css from './LinkPage.module.css';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/calls.js';
import { Context } from '../parts/question/Context.js';
import { Elsewhere, QuestionText } from '../parts/question/QuestionText.js';
import { Mark } from '../parts/Frame.js';
import { TimeLeft } from '../parts/question/TimeLeft.js';
import { visible } from '../state/list/visible.js';

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

/** Says what happened to the answer. The link is used up, so nothing more can be done here. */
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

const hasToken = questionToken !== '';

/** The page of the link in a message: one question, for one person. Opening it decides nothing. */
export function LinkPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['link'],
    queryFn: () => api.readLink(questionToken),
    enabled: hasToken,
    retry: false,
    staleTime: Infinity,
  });
  return (
    <main id="main" className="page">
      <p className={css.brand}>
        <Mark /> Holdpoint
      </p>
      {!data && <h1 className="only-heard">A question by a link</h1>}
      {!hasToken && <NoToken />}
      {error && <LinkProblem error={error} retry={() => void refetch()} />}
      {data && <LinkedQuestion view={data} />}
      {hasToken && isPending && <p role="status">Loading…</p>}
    </main>
  );
}

function NoToken() {
  return (
    <Notice tone="warn" title="This link is incomplete" isAlert>
      <p>Open it from the message again, with everything after #.</p>
    </Notice>
  );
}

function LinkedQuestion({ view }: { readonly view: LinkView }) {
  const { question, person, needs_sign_in, suspension_id } = view;
  const { context, fields, asked_by, on_behalf_of, expires_at, withheld } = question;
  return (
    <>
      <p className={css.over}>
        <TimeLeft expiresAt={expires_at ?? undefined} isLong />
        <span>
          {visible(asked_by)} asks {visible(person.name)}
          {on_behalf_of !== undefined && ` for ${visible(on_behalf_of)}`}
        </span>
      </p>
      <h1 className="only-heard">A question for {visible(person.name)}</h1>
      <div className={css.question}>
        <QuestionText text={question.text} format={question.text_format} />
      </div>
      {Object.keys(context).length > 0 && (
        <Section title="Context">
          <Context context={context} />
        </Section>
      )}
      {fields !== undefined && !Object.hasOwn(context, 'fields') && (
        <Elsewhere context={{ fields }} />
      )}
      {withheld > 0 && (
        <p className={css.over}>
          {withheld === 1 ? 'One fact is' : `${withheld} facts are`} shown in the inbox only.
        </p>
      )}
      {needs_sign_in ? (
        <Notice
          tone="info"
          title="This one needs you to sign in"
          actions={
            <a href={suspension_id ? `/inbox/q/${suspension_id}` : '/inbox/'}>
              Open it in the inbox
            </a>
          }
        >
          <p>A link is not enough to approve something.</p>
        </Notice>
      ) : (
        <LinkAnswer view={view} />
      )}
    </>
  );
}
