import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../api/calls.js';
import { RefusedError } from '../api/http.js';
import type { BulkResult, Entry } from '../api/types.js';
import { BulkList } from '../parts/BulkList.js';
import { Choices, choicesOf } from '../parts/Choices.js';
import { Problem } from '../parts/Problem.js';
import { Button, Notice, Section } from '../parts/ui.js';
import { heldByOther } from '../state/answering.js';
import { useKeys } from '../state/keys.js';
import { select, useSelection } from '../state/selection.js';
import { useMe } from '../state/session.js';
import { lastList } from '../state/views.js';
import css from './Bulk.module.css';

/** Answers the selected questions with one answer and one confirmation, and shows what became of each. */
export function Bulk() {
  const selection = useSelection();
  const [, navigate] = useLocation();
  // What is confirmed stays on the page, whatever the selection becomes.
  const [entries] = useState(() => [...selection.values()]);
  const { results, error, isBusy, send } = useBulk(entries);
  const leave = () => {
    navigate(lastList());
  };
  useKeys({ Escape: leave });
  const [first] = entries;
  if (!first) return <Page title="No question is selected" />;
  if (results) {
    return (
      <Page title="What became of them">
        <Summary results={results} />
        <BulkList entries={entries} results={results} />
        <div className={css.buttons}>
          <Button kind="primary" onPress={leave}>
            Back to the list
          </Button>
        </div>
      </Page>
    );
  }
  return (
    <Page title={`Answer ${entries.length} questions together`}>
      {error !== undefined && <Problem error={error} title={titleOf(error)} />}
      <BulkList entries={entries} results={undefined} />
      <BulkAnswer first={first} entries={entries} isBusy={isBusy} send={send} leave={leave} />
    </Page>
  );
}

function Page({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <main id="main" className={css.scroller}>
      <div className={css.page}>
        <Link href={lastList()}>← Inbox</Link>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** The one answer for all of them: they have one shape, or the API says that they have not. */
function BulkAnswer({
  first,
  entries,
  isBusy,
  send,
  leave,
}: {
  readonly first: Entry;
  readonly entries: readonly Entry[];
  readonly isBusy: boolean;
  readonly send: (value: string) => Promise<void>;
  readonly leave: () => void;
}) {
  const [value, setValue] = useState('');
  const choices = choicesOf(first.record);
  const label = choices.find((choice) => choice.value === value)?.label ?? value;
  const toAll = value === '' ? 'Choose an answer' : `Send “${label}” to all ${entries.length}`;
  return (
    <Section title="One answer for all">
      <div className={css.answer}>
        {choices.length > 0 ? (
          <Choices choices={choices} value={value} onChange={setValue} />
        ) : (
          <textarea
            rows={3}
            aria-label="Your answer"
            value={value}
            onChange={(event) => {
              setValue(event.target.value);
            }}
          />
        )}
        <HeldNotice entries={entries} />
        <div className={css.buttons}>
          <Button
            kind="primary"
            isDisabled={value === ''}
            isPending={isBusy}
            onPress={() => void send(value)}
          >
            {isBusy ? 'Sending…' : toAll}
          </Button>
          <Button kind="quiet" onPress={leave}>
            Back
          </Button>
        </div>
      </div>
    </Section>
  );
}

function titleOf(error: unknown): string | undefined {
  const isMixed = error instanceof RefusedError && error.problem.code === 'mixed_shapes';
  return isMixed ? 'These questions cannot be answered together' : undefined;
}

/** Says which of them somebody else has, since sending answers them all the same. */
function HeldNotice({ entries }: { readonly entries: readonly Entry[] }) {
  const me = useMe()?.principal;
  const held = entries.filter((entry) => heldByOther(entry, me));
  if (held.length === 0) return null;
  return (
    <Notice tone="warn" title={`Others have claimed ${held.length} of them`}>
      <p>They are answered all the same if you send.</p>
    </Notice>
  );
}

function Summary({ results }: { readonly results: readonly BulkResult[] }) {
  const refused = results.filter(({ outcome }) => outcome === 'refused').length;
  const taken = results.length - refused;
  return (
    <Notice
      tone={refused === 0 ? 'good' : 'warn'}
      title={refused === 0 ? `All ${taken} taken` : `${taken} taken, ${refused} refused`}
    />
  );
}

/** Sends one answer to all, once. */
function useBulk(entries: readonly Entry[]) {
  const client = useQueryClient();
  const me = useMe()?.principal;
  const [state, setState] = useState<{
    readonly isBusy: boolean;
    readonly results?: readonly BulkResult[];
    readonly error?: unknown;
  }>({ isBusy: false });
  const send = async (value: string) => {
    setState({ isBusy: true });
    const isHeld = entries.some((entry) => heldByOther(entry, me));
    try {
      const results = await api.respondToAll({
        answers: entries.map(({ id, question_version, record }) => ({
          suspension_id: id,
          question_version,
          ...(record.approval && { proposal_hash: record.approval.proposal_hash }),
        })),
        value,
        ...(isHeld && { despite_claim: true }),
      });
      setState({ isBusy: false, results });
      select([]);
    } catch (error) {
      setState({ isBusy: false, error });
    } finally {
      void client.invalidateQueries();
    }
  };
  return { ...state, send } as const;
}
