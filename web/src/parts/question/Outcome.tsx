import { useState } from 'react';
import type { Question } from '../../api/types.js';
import { atTime } from '../../state/clock.js';
import { draftText, type Draft } from '../../state/answering/draft.js';
import { defaultText, eligibleText, endText, valueText } from '../../state/facts.js';
import { isTypingElsewhere } from '../../state/keys.js';
import { visible } from '../../state/list/visible.js';
import type { Walk } from '../../state/list/walk.js';
import { Value } from './Context.js';
import { Button, CopyButton, Fact, Notice, Section } from '../ui.js';
import { EditedSince } from './Proposal.js';
import { NextButton } from '../Navigation.js';
import { AllNotes, Notes } from './Notes.js';
import { Written } from './Written.js';
import css from './Outcome.module.css';
import factsCss from './Facts.module.css';

interface OutcomeProps {
  readonly question: Question;
  readonly isMine: boolean;
  /** Whether it has ended while the page was open. */
  readonly isNew: boolean;
  readonly inVain: Draft | undefined;
  readonly walk: Walk;
}

/** Says how a question ended: by whom, when, where, and with what answer. A useless draft can be copied. */
export function Outcome({ question, isMine, isNew, inVain, walk }: OutcomeProps) {
  // The fields of the answer are gone, but the focus stays with somebody who writes a comment.
  const [takesFocus] = useState(() => isMine && isNew && !isTypingElsewhere());
  const title = isMine ? 'Your answer settled it' : endText(question);
  const isAnswered = question.record.resolution === 'responded';
  return (
    <Notice
      tone={inVain ? 'warn' : isAnswered ? 'good' : 'info'}
      title={inVain ? `${title} before you` : title}
      isAlert={inVain !== undefined}
      replyTo={takesFocus ? question.id : undefined}
      actions={
        <>
          {inVain && <CopyButton text={draftText(inVain)} />}
          <NextButton walk={walk} isMain={isNew} />
        </>
      }
    >
      <p>{circumstancesOf(question)}</p>
      <Result question={question} />
      <AllNotes question={question} />
      <EditedSince question={question} />
      {inVain && (
        <p>
          {inVain.sent
            ? 'Your answer was sent, but does not count. Your draft is still here to copy.'
            : 'Your draft was not sent, and is still here to copy.'}
        </p>
      )}
    </Notice>
  );
}

/** Says when and where a question ended, and whose key proved it if that is not the person who answered. */
function circumstancesOf({ record }: Question): string {
  const { settled_at, metadata, submitted_by, responded_by } = record;
  const via = metadata?.via ?? metadata?.channel;
  const facts = [
    settled_at && atTime(settled_at),
    typeof via === 'string' && `by ${via}`,
    submitted_by !== responded_by && submitted_by && `sent by ${submitted_by}`,
  ];
  return visible(facts.filter(Boolean).join(', '));
}

/** The answer, or the default that counts in its place. */
function Result({ question }: { readonly question: Question }) {
  const { resolution, response } = question.record;
  if (resolution === 'responded' && response !== undefined) {
    if (typeof response === 'object') return <Value value={response} />;
    return <Written text={valueText(response, question)} as="p" className={css.answer} />;
  }
  const counts = defaultText(question);
  if (counts === undefined) return null;
  return (
    <p>
      The default counts: <code>{counts}</code>
    </p>
  );
}

interface OlderDraftProps {
  readonly draft: Draft;
  readonly discard: () => void;
}

export function OlderDraft({ draft, discard }: OlderDraftProps) {
  return (
    <Notice
      tone="warn"
      title="The question was changed while you answered"
      isAlert
      actions={
        <>
          <CopyButton text={draftText(draft)} />
          <Button kind="quiet" onPress={discard}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        {draft.sent
          ? 'Your answer was sent, but does not count: it was for the previous version. Read the question again.'
          : 'Your draft was for the previous version. It was not sent; read the question again.'}
      </p>
    </Notice>
  );
}

export function Decision({ question }: { readonly question: Question }) {
  const { rule, approvals, required, schedule, delegations } = question;
  const asked = new Set(schedule.attempts.flatMap(({ notify_to }) => notify_to ?? []));
  const aside = required > 1 ? `${approvals} of ${required} agree` : undefined;
  return (
    <Section title="Who decides" folds aside={aside}>
      <dl className={factsCss.facts}>
        <Fact name="May answer">
          <Written text={eligibleText(rule.eligible)} />
        </Fact>
        {rule.excluded.length > 0 && (
          <Fact name="May not">
            <Written text={rule.excluded.join(', ')} />
          </Fact>
        )}
        {required > 1 && (
          <Fact name="Needed">
            {required} who agree{rule.veto && rule.denials.length > 0 && ', or one who denies'}
          </Fact>
        )}
        {asked.size > 0 && (
          <Fact name="Also asked">
            <Written text={[...asked].join(', ')} />
          </Fact>
        )}
        <Votes question={question} />
        {delegations.map(({ by, to = '', to_group, reason, at }) => (
          <Fact key={at} name="Delegated">
            <Written
              text={`by ${by} to ${to_group === undefined ? to : `group ${to_group}`}: ${reason}`}
            />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Votes({ question }: { readonly question: Question }) {
  return question.votes.map((vote) => (
    <Fact key={`${vote.principal}${vote.counted_at}`} name={<Written text={vote.actor} />}>
      {typeof vote.value === 'object' ? (
        'filled in'
      ) : (
        <Written text={valueText(vote.value, question)} />
      )}
      , {atTime(vote.counted_at)}
      <Notes comment={vote.comment} />
    </Fact>
  ));
}
