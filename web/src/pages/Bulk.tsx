import { useMemo, useState, type ReactNode } from 'react';
import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import { refusalIn } from '../api/http.js';
import type { BulkResult, Entry } from '../api/types.js';
import { AnswerFields } from '../parts/answer/AnswerFields.js';
import { BackLink, KeyHint, useLeaving } from '../parts/Navigation.js';
import { BulkList } from '../parts/list/BulkList.js';
import { ConfirmBulk, HeldByOthers, Summary } from '../parts/list/BulkSend.js';
import { choiceKeys, choicesOf } from '../parts/answer/Choices.js';
import { Problem } from '../parts/Problem.js';
import { Button, Notice, Section } from '../parts/ui.js';
import { Countdown } from '../parts/answer/Unsent.js';
import { heldByOther } from '../state/answering/acting.js';
import {
  leftBulk,
  useBulkAnswering,
  useBulkDraft,
  type BulkAnswering,
  type Entries,
} from '../state/answering/bulk-answering.js';
import { compared, misfitsOf, type Compared } from '../state/answering/bulk-differences.js';
import { SENDS, useKeys } from '../state/keys.js';
import { useSelection } from '../state/list/selection.js';
import { usePrincipal } from '../state/session.js';
import css from './Bulk.module.css';

/** Answers the selected questions with one answer and one confirmation, and shows the result of each. */
export function Bulk() {
  const selection = useSelection();
  // The confirmed questions stay on the page, even if the selection changes.
  const [entries, setEntries] = useState(() => leftBulk()?.entries ?? [...selection.values()]);
  const bulk = useBulkAnswering(entries);
  const { results, error, misfit } = bulk;
  const leave = useLeaving();
  const comparison = useMemo(() => compared(entries), [entries]);
  const [first, ...others] = entries;
  if (!first) return <Page title="No question is selected" />;
  const { misfits, isOver } = misfitsAmong(entries, misfit);
  const problem = <Refusal error={isOver ? undefined : error} />;
  const shared = { entries: [first, ...others], compared: comparison, bulk, leave } as const;
  if (results) {
    return (
      <Results {...shared} results={results}>
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
      {misfits.length === 0 && <BulkAnswer {...shared} />}
    </Page>
  );
}

interface BulkProps {
  readonly entries: Entries;
  readonly compared: Compared;
  readonly bulk: BulkAnswering;
  readonly leave: () => void;
}

interface ResultsProps extends BulkProps {
  readonly results: ReadonlyMap<string, BulkResult>;
  readonly children: ReactNode;
}

/** Shows the result for each question, and what remains to be done. */
function Results({ bulk, results, entries, compared, leave, children }: ResultsProps) {
  return (
    <Page title="Results">
      {children}
      <Summary results={[...results.values()]} />
      <BulkList entries={entries} compared={compared} results={results} />
      {bulk.unsentUntil === undefined ? (
        <HeldByOthers bulk={bulk} />
      ) : (
        <Unsent bulk={bulk} until={bulk.unsentUntil} leave={leave} />
      )}
      <div className={css.buttons}>
        <Button kind={bulk.held.length > 0 ? 'plain' : 'primary'} onPress={leave}>
          Back to the list
        </Button>
      </div>
    </Page>
  );
}

/** Returns the questions that need other answers. The refusal is over once its question is removed. */
function misfitsAmong(entries: readonly Entry[], misfit: string | undefined) {
  const named = entries.find(({ id }) => id === misfit);
  const misfits = named ? [named] : misfitsOf(entries);
  return { misfits, isOver: misfit !== undefined && !named } as const;
}

function Page({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <main id="main" className="scroller">
      <div className={css.page}>
        <BackLink />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface MisfitsProps {
  readonly misfits: readonly Entry[];
  readonly leaveOut: () => void;
}

/** Says which questions cannot get the same answer as the others, before anything is sent. */
function Misfits({ misfits, leaveOut }: MisfitsProps) {
  if (misfits.length === 0) return null;
  const isOne = misfits.length === 1;
  return (
    <Notice
      tone="warn"
      title={isOne ? 'One takes a different answer' : `${misfits.length} take different answers`}
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

/** The fields and buttons of the one answer for all questions, which take the same answers as far as the page can see. */
function BulkAnswer({ entries, compared, bulk, leave }: BulkProps) {
  const { isBusy, unsentUntil } = bulk;
  const isHeld = isBusy || unsentUntil !== undefined;
  const draft = useBulkDraft(entries, isHeld, bulk.send);
  const { fields, chosen, submit, isReady } = draft;
  const keys = { 'Mod+Enter': submit, ...choiceKeys(choicesOf(fields.asked), fields.onChange) };
  useKeys(isHeld ? {} : keys);
  if (unsentUntil !== undefined) return <Unsent bulk={bulk} until={unsentUntil} leave={leave} />;
  const what = chosen ? `“${chosen.label}”` : 'this answer';
  const whom = entries.length === 1 ? '' : ` to all ${entries.length}`;
  const label = isReady ? `Send ${what}${whom}` : 'Choose an answer';
  return (
    <Section title="One answer for all">
      <div className={css.answer} {...SENDS}>
        <AnswerFields {...fields} fault={undefined} />
        {bulk.isUndone && (
          <Notice tone="info" title="Not sent" replyTo="undone">
            <p>Your answer is still here.</p>
          </Notice>
        )}
        <HeldNotice entries={entries} />
        <div className={css.buttons}>
          <Button
            kind={isDangerous(chosen) ? 'danger' : 'primary'}
            isDisabled={!isReady}
            isPending={isBusy}
            onPress={submit}
          >
            {isBusy ? 'Sending…' : label}
          </Button>
          <Button kind="quiet" onPress={leave}>
            Back
          </Button>
        </div>
        <ConfirmBulk draft={draft} entries={entries} compared={compared} />
      </div>
    </Section>
  );
}

interface UnsentProps extends Pick<BulkProps, 'bulk' | 'leave'> {
  readonly until: number;
}

function Unsent({ bulk: { undo }, until, leave }: UnsentProps) {
  useKeys({ z: undo, 'Mod+z': undo, Enter: leave });
  return (
    <Notice
      tone="info"
      title="Not sent yet"
      replyTo={until}
      actions={
        <>
          <Button shortcut="z" onPress={undo}>
            Undo
            <KeyHint>z</KeyHint>
          </Button>
          <Button kind="primary" shortcut="Enter" onPress={leave}>
            Back to the list
            <KeyHint>Enter</KeyHint>
          </Button>
        </>
      }
    >
      <Countdown until={until} />
    </Notice>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const isMixed = refusalIn(error)?.code === 'mixed_shapes';
  const title = isMixed ? 'These questions cannot be answered together' : undefined;
  return <Problem error={error} title={title} isReply />;
}

function HeldNotice({ entries }: { readonly entries: readonly Entry[] }) {
  const me = usePrincipal();
  const held = entries.filter((entry) => heldByOther(entry, me));
  if (held.length === 0) return null;
  return (
    <Notice tone="info" title={`Others have claimed ${held.length} of them`}>
      <p>These are left out at first. You then see who has them, and can answer all the same.</p>
    </Notice>
  );
}
