import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/calls.js';
import { useHasHistory } from '../state/questions.js';
import { useMay } from '../state/session.js';
import type { View } from '../state/views.js';
import { Problem } from './Problem.js';
import { Blank, Button } from './ui.js';
import css from './ListState.module.css';

interface ListStateProps {
  readonly isPending: boolean;
  readonly view: View;
  readonly isNarrowed: boolean;
  readonly clear: () => void;
  readonly open: Readonly<Partial<Record<View, number>>>;
}

const EMPTY: Readonly<Record<View, string>> = {
  for_me: 'No open question waits for you.',
  claimed: 'You have claimed no open question.',
  groups: 'No open question waits for your groups.',
  all: 'No question is open.',
  settled: 'No question has ended yet.',
};

/** Why no question is shown: they are on their way, there are none, or none is left. */
export function ListState({ isPending, view, isNarrowed, clear, open }: ListStateProps) {
  const hasHistory = useHasHistory();
  if (isPending || hasHistory === undefined) return <Loading />;
  if (isNarrowed) {
    return (
      <Blank title="No match" actions={<Button onPress={clear}>Clear the filters</Button>}>
        <p>No question of this view has these words and filters.</p>
      </Blank>
    );
  }
  if (!hasHistory) return <NothingYet />;
  const others = open.all ?? 0;
  return (
    <Blank title={view === 'for_me' ? 'All done' : 'Nothing here'}>
      <p>{EMPTY[view]}</p>
      {view !== 'all' && view !== 'settled' && others > 0 && (
        <p>
          <Link href="/all">
            {others === 1 ? 'One question is open' : `${others} questions are open`}
          </Link>{' '}
          in all.
        </p>
      )}
    </Blank>
  );
}

function Loading() {
  return (
    <div className={css.loading} role="status">
      <span className="only-heard">Loading the questions…</span>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className={css.bone} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Nobody has asked anything: offers to ask a sample, to whoever may. */
function NothingYet() {
  const may = useMay();
  const [error, setError] = useState<unknown>();
  const ask = async () => {
    setError(undefined);
    try {
      // The stream tells of it, as of every question.
      await api.askSample();
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      <Blank
        title="Nothing yet"
        actions={
          may('openSuspension') && (
            <Button kind="primary" onPress={() => void ask()}>
              Ask a sample question
            </Button>
          )
        }
      >
        <p>
          No agent has asked anything. Questions appear here by themselves as soon as one does. To
          try it from a shell, with the key of an agent:{' '}
          <code>holdpoint ask &quot;Shall we?&quot;</code>
        </p>
      </Blank>
    </>
  );
}
