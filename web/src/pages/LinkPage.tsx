import { useQuery } from '@tanstack/react-query';
import { api } from '../api/calls.js';
import { Context } from '../parts/Context.js';
import { Elsewhere } from '../parts/Elsewhere.js';
import { Mark } from '../parts/Frame.js';
import { LinkAnswer, LinkProblem } from '../parts/LinkAnswer.js';
import { QuestionText } from '../parts/QuestionText.js';
import { TimeLeft } from '../parts/TimeLeft.js';
import { Notice, Section } from '../parts/ui.js';
import type { LinkView } from '../../../contracts/channel/links.js';
import { questionToken } from '../state/one-time-link.js';
import { visible } from '../state/visible.js';
import css from './LinkPage.module.css';

const hasToken = questionToken !== '';

/** The page to which the link in a message leads: one question, for one person. Opening it decides nothing. */
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
