import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { RefusedError } from '../api/http.js';
import type { BulkResult, Entry } from '../api/types.js';
import { AnswerFields } from '../parts/AnswerFields.js';
import { BackLink } from '../parts/BackLink.js';
import { BulkList } from '../parts/BulkList.js';
import { HeldByOthers, Summary } from '../parts/BulkResults.js';
import { choiceKeys, choicesOf } from '../parts/Choices.js';
import { ConfirmBulk } from '../parts/ConfirmBulk.js';
import { Problem } from '../parts/Problem.js';
import { Button, Notice, Section } from '../parts/ui.js';
import { heldByOther } from '../state/answering.js';
import { useBulkAnswering } from '../state/bulk-answering.js';
import { compared } from '../state/bulk-differences.js';
import type { Compared } from '../state/bulk-differences.js';
import { useBulkDraft } from '../state/bulk-draft.js';
import type { ForAll } from '../state/bulk-answering.js';
import { SENDS, leaveField, useKeys } from '../state/keys.js';
import { useSelection } from '../state/selection.js';
import { useMe } from '../state/session.js';
import { misfitsOf } from '../state/shapes.js';
import { lastList } from '../state/views.js';
import css from './Bulk.module.css';

/** Answers the selected questions with one answer and one confirmation, and shows what became of each. */
export function Bulk() {
  const selection = useSelection();
  // What is confirmed stays on the page, whatever the selection becomes.
  const [entries, setEntries] = useState(() => [...selection.values()]);
  const bulk = useBulkAnswering(entries);
  const { results, error, misfit, isBusy, send } = bulk;
  const leave = useLeaving();
  const comparison = useMemo(() => compared(entries), [entries]);
  const [first] = entries;
  if (!first) return <Page title="No question is selected" />;
  const { misfits, isOver } = misfitsAmong(entries, misfit);
  const problem = <Refusal error={isOver ? undefined : error} />;
  if (results) {
    return (
      <Results bulk={{ ...bulk, results }} entries={entries} compared={comparison} leave={leave}>
        {problem}
      </Results>
    );
  }
  return (
    <Page
      title={
        entries.length === 1 ? 'Answer one question' : `Answer ${entries.length} questions together`
      }
    >
      {problem}
      <Misfits
        misfits={misfits}
        leaveOut={() => {
          setEntries(entries.filter((entry) => !misfits.includes(entry)));
        }}
      />
      {entries.length > 1 && !comparison.difference && (
        <p>Question and context are the same in all of them.</p>
      )}
      <BulkList entries={entries} compared={comparison} results={undefined} misfits={misfits} />
      {misfits.length === 0 && (
        <BulkAnswer
          first={first}
          entries={entries}
          compared={comparison}
          isBusy={isBusy}
          send={(what) => void send(what)}
          leave={leave}
        />
      )}
    </Page>
  );
}

interface ResultsProps {
  readonly bulk: ReturnType<typeof useBulkAnswering> & {
    readonly results: ReadonlyMap<string, BulkResult>;
  };
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly leave: () => void;
  readonly children: ReactNode;
}

/** What became of each question, and what is left to do. */
function Results({ bulk, entries, compared: comparison, leave, children }: ResultsProps) {
  const { results, held, answer, isBusy, sendToHeld } = bulk;
  return (
    <Page title="What became of them">
      {children}
      <Summary results={[...results.values()]} />
      <BulkList entries={entries} compared={comparison} results={results} />
      <HeldByOthers
        held={held}
        answer={answer}
        results={results}
        isBusy={isBusy}
        send={() => void sendToHeld()}
      />
      <div className={css.buttons}>
        <Button kind={held.length > 0 ? 'plain' : 'primary'} onPress={leave}>
          Back to the list
        </Button>
      </div>
    </Page>
  );
}

/** Goes back to the list, also by Esc. */
function useLeaving(): () => void {
  const [, navigate] = useLocation();
  const leave = () => {
    navigate(lastList());
  };
  useKeys({
    Escape: () => {
      if (!leaveField()) leave();
    },
  });
  return leave;
}

/** Those that take other answers. A refusal for one that is left out by now is over. */
function misfitsAmong(entries: readonly Entry[], misfit: string | undefined) {
  const named = entries.find(({ id }) => id === misfit);
  const misfits = named ? [named] : misfitsOf(entries);
  return { misfits, isOver: misfit !== undefined && !named } as const;
}

function Page({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <main id="main" className={css.scroller}>
      <div className={css.page}>
        <BackLink />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Says which questions cannot get the same answer as the others, before anything is sent. */
function Misfits({
  misfits,
  leaveOut,
}: {
  readonly misfits: readonly Entry[];
  readonly leaveOut: () => void;
}) {
  if (misfits.length === 0) return null;
  const isOne = misfits.length === 1;
  return (
    <Notice
      tone="warn"
      title={isOne ? 'One takes another answer' : `${misfits.length} take other answers`}
      actions={
        <Button kind="primary" onPress={leaveOut}>
          {isOne ? 'Leave it out' : `Leave these ${misfits.length} out`}
        </Button>
      }
    >
      <p>
        {isOne ? 'It is' : 'They are'} marked below. One answer fits only questions that have the
        same kind of answer, choices and form.
      </p>
    </Notice>
  );
}

/** The one answer for all of them: they have one shape, or the API says that they have not. */
function BulkAnswer({
  first,
  entries,
  compared,
  isBusy,
  send,
  leave,
}: {
  readonly first: Entry;
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly isBusy: boolean;
  readonly send: (what: ForAll) => void;
  readonly leave: () => void;
}) {
  const draft = useBulkDraft([first, ...entries.slice(1)], isBusy, send);
  const { fields, chosen, submit } = draft;
  useKeys({ 'Mod+Enter': submit, ...choiceKeys(choicesOf(fields.asked), fields.onChange) });
  const what = chosen ? `“${chosen.label}”` : 'this answer';
  const whom = entries.length === 1 ? '' : ` to all ${entries.length}`;
  const label = draft.isReady ? `Send ${what}${whom}` : 'Choose an answer';
  return (
    <Section title="One answer for all">
      <div className={css.answer} {...SENDS}>
        <AnswerFields {...fields} fault={undefined} />
        <HeldNotice entries={entries} />
        <div className={css.buttons}>
          <Button
            kind={chosen?.style === 'danger' ? 'danger' : 'primary'}
            isDisabled={!draft.isReady}
            isPending={isBusy}
            onPress={submit}
          >
            {isBusy ? 'Sending…' : label}
          </Button>
          <Button kind="quiet" onPress={leave}>
            Back
          </Button>
        </div>
        {draft.asking && (
          <ConfirmBulk
            said={draft.asking}
            asked={fields.asked}
            entries={entries}
            compared={compared}
            label={chosen?.label ?? 'Send this answer'}
            isDanger={chosen?.style === 'danger'}
            confirm={draft.confirm}
            cancel={draft.cancel}
          />
        )}
      </div>
    </Section>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const isMixed = error instanceof RefusedError && error.problem.code === 'mixed_shapes';
  const title = isMixed ? 'These questions cannot be answered together' : undefined;
  return <Problem error={error} title={title} isReply />;
}

/** Says how many of them somebody else has. */
function HeldNotice({ entries }: { readonly entries: readonly Entry[] }) {
  const me = useMe()?.principal;
  const held = entries.filter((entry) => heldByOther(entry, me));
  if (held.length === 0) return null;
  return (
    <Notice tone="info" title={`Others have claimed ${held.length} of them`}>
      <p>These are left alone at first. You then see who has them, and can answer all the same.</p>
    </Notice>
  );
}
