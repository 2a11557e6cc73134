import { useEffect, useState } from 'react';
import { RefusedError } from '../api/http.js';
import { answerByLink, readLink } from '../api/links.js';
import { Choices, choicesOf } from '../parts/Choices.js';
import { Context } from '../parts/Context.js';
import { Dialog, DialogButtons } from '../parts/Dialog.js';
import { LinkForm } from '../parts/LinkForm.js';
import { Mark } from '../parts/Frame.js';
import { Markdown } from '../parts/Markdown.js';
import { Problem } from '../parts/Problem.js';
import { TimeLeft } from '../parts/TimeLeft.js';
import { Button, Notice, Section } from '../parts/ui.js';
import type { LinkView } from '../../../contracts/links.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import { linkedChoice, questionToken } from '../state/one-time-link.js';
import { visible } from '../state/visible.js';
import css from './LinkPage.module.css';

/** Where the link of a message leads: one question, for one person. To open it decides nothing. */
export function LinkPage() {
  const { view, error, reload } = useLink();
  return (
    <main id="main" className={css.page}>
      <p className={css.brand}>
        <Mark /> Holdpoint
      </p>
      {!view && <h1 className="only-heard">A question by a link</h1>}
      {questionToken === '' && <NoToken />}
      {error !== undefined && <LinkProblem error={error} retry={reload} />}
      {view && <LinkedQuestion view={view} />}
      {questionToken !== '' && !view && error === undefined && <p role="status">Loading…</p>}
    </main>
  );
}

function NoToken() {
  return (
    <Notice tone="warn" title="This link is not whole" isAlert>
      <p>Open it from the message again; what stands after # belongs to it.</p>
    </Notice>
  );
}

const STALE: Readonly<Record<string, string>> = {
  link_used: 'This link was used already',
  link_stale: 'This link is out of date',
  link_expired: 'This link has expired',
  link_invalid: 'This is no link of ours',
};

/** A link that leads nowhere any more, with what happened instead. */
function LinkProblem({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const code = error instanceof RefusedError ? error.problem.code : '';
  const title = STALE[code];
  return (
    <Problem
      error={error}
      {...(title !== undefined && { title })}
      {...(code === '' && { retry })}
      {...(title !== undefined && { actions: <a href="/inbox/">Open the inbox</a> })}
    />
  );
}

function useLink() {
  const [view, setView] = useState<LinkView>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (questionToken === '') return;
    let isCurrent = true;
    readLink(questionToken).then(
      (read) => {
        if (isCurrent) setView(read);
      },
      (refusal: unknown) => {
        if (isCurrent) setError(refusal);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [round]);
  const reload = () => {
    setError(undefined);
    setRound(round + 1);
  };
  return { view, error, reload } as const;
}

function LinkedQuestion({ view }: { readonly view: LinkView }) {
  const { question, person, needs_sign_in, suspension_id } = view;
  const { context, asked_by, on_behalf_of, expires_at, withheld } = question;
  return (
    <>
      <p className={css.over}>
        <TimeLeft expiresAt={expires_at ?? undefined} isLong />
        <span>
          {visible(asked_by)} asks {person.name}
          {on_behalf_of !== undefined && ` for ${visible(on_behalf_of)}`}
        </span>
      </p>
      <h1 className="only-heard">A question for {person.name}</h1>
      <div className={css.question}>
        <Markdown text={question.text} />
      </div>
      {Object.keys(context).length > 0 && (
        <Section title="Context">
          <Context context={context} />
        </Section>
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

/** The answer by a link, which works once. */
function LinkAnswer({ view: { question } }: { readonly view: LinkView }) {
  const choices = choicesOf(question);
  const [value, setValue] = useState<JsonValue>(
    () => choices.find((choice) => choice.value === linkedChoice)?.value ?? '',
  );
  const [isAsking, setAsking] = useState(false);
  const [state, setState] = useState<{
    readonly at: 'writing' | 'sending' | 'sent' | 'handed_over';
    readonly error?: unknown;
  }>({ at: 'writing' });
  const chosen = choices.find((choice) => choice.value === value);
  const deliver = async () => {
    setAsking(false);
    setState({ at: 'sending' });
    try {
      const outcome = await answerByLink(questionToken, value);
      setState({ at: outcome === 'counts' ? 'sent' : outcome });
    } catch (error) {
      setState({ at: 'writing', error });
    }
  };
  const send = () => {
    if (chosen?.style === 'danger') setAsking(true);
    else void deliver();
  };
  if (state.at === 'sent' || state.at === 'handed_over')
    return <Sent isSafe={state.at === 'sent'} />;
  return (
    <Section title="Your answer" className={css.answer}>
      <div className={css.fields}>
        {choices.length > 0 ? (
          <Choices choices={choices} value={chosen?.value} onChange={setValue} />
        ) : (
          <LinkForm question={question} value={value} onChange={setValue} />
        )}
        {state.error !== undefined && <LinkProblem error={state.error} retry={send} />}
        <Button
          kind={chosen?.style === 'danger' ? 'danger' : 'primary'}
          isDisabled={value === ''}
          isPending={state.at === 'sending'}
          onPress={send}
        >
          {state.at === 'sending' ? 'Sending…' : chosen ? `Send: ${chosen.label}` : 'Send answer'}
        </Button>
      </div>
      {isAsking && chosen && (
        <AskOnceMore
          label={chosen.label}
          back={() => {
            setAsking(false);
          }}
          send={() => void deliver()}
        />
      )}
    </Section>
  );
}

function AskOnceMore({
  label,
  back,
  send,
}: {
  readonly label: string;
  readonly back: () => void;
  readonly send: () => void;
}) {
  return (
    <Dialog title={`${label}?`} mustAnswer onClose={back} onSend={send}>
      <p>This cannot be taken back.</p>
      <DialogButtons>
        <Button autoFocus onPress={back}>
          Back
        </Button>
        <Button kind="danger" onPress={send}>
          {label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Sent({ isSafe }: { readonly isSafe: boolean }) {
  return (
    <Notice
      tone={isSafe ? 'good' : 'warn'}
      title={isSafe ? 'Thank you, your answer counts' : 'Handed over, not confirmed yet'}
    >
      <p>
        {isSafe
          ? 'The agent goes on. You can close this page.'
          : 'Your answer is kept and will be judged by when you sent it. There is no need to send it again.'}
      </p>
    </Notice>
  );
}
