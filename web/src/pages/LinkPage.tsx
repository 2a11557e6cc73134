import { useEffect, useState } from 'react';
import { readLink } from '../api/links.js';
import { Context } from '../parts/Context.js';
import { Elsewhere } from '../parts/Elsewhere.js';
import { Mark } from '../parts/Frame.js';
import { LinkAnswer, LinkProblem } from '../parts/LinkAnswer.js';
import { QuestionText } from '../parts/QuestionText.js';
import { TimeLeft } from '../parts/TimeLeft.js';
import { Notice, Section } from '../parts/ui.js';
import type { LinkView } from '../../../contracts/links.js';
import { questionToken } from '../state/one-time-link.js';
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
