import { Link } from 'wouter';
import { api } from '../api/calls.js';
import { useAttempt } from '../state/acting.js';
import { useCounts, useHasHistory, useMatches } from '../state/questions.js';
import { useMay } from '../state/session.js';
import { OPEN, OVER, addressOf, isOfSettled, useListed } from '../state/views.js';
import type { Filters, View } from '../state/views.js';
import { Problem } from './Problem.js';
import { Blank, Button } from './ui.js';
import css from './ListState.module.css';

interface ListStateProps {
  readonly isPending: boolean;
  readonly view: View;
}

const EMPTY: Readonly<Record<View, string>> = {
  for_me: 'No open question waits for you.',
  claimed: 'You have claimed no open question.',
  groups: 'No open question waits for your groups.',
  all: 'No question is open.',
  snoozed: 'You have put off no question.',
  answered: 'You have answered no question yet.',
  settled: 'No question has ended yet.',
};

/** Says why no question is shown: the list is loading, nobody has asked anything, or no question is left. */
export function ListState({ isPending, view }: ListStateProps) {
  const hasHistory = useHasHistory();
  const { filters, isNarrowed, clear } = useListed();
  const { all: others = 0 } = useCounts();
  if (isPending || hasHistory === undefined) return <Loading />;
  if (isNarrowed) {
    return (
      <Blank title="No match" actions={<Button onPress={clear}>Clear the filters</Button>}>
        <p>No question of this view has these words and filters.</p>
        <OtherMatches {...filters} />
      </Blank>
    );
  }
  if (!hasHistory) return <NothingYet />;
  return (
    <Blank title={view === 'for_me' ? 'All done' : 'Nothing here'}>
      <p>{EMPTY[view]}</p>
      {view !== 'all' && !isOfSettled(view, {}) && others > 0 && (
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

/** Leads to the questions with the same words and channel that this view does not show. */
function OtherMatches({ text, channel }: Filters) {
  const { open, over } = useMatches({ text, channel });
  const found = [
    { state: OPEN, count: open, kind: 'open' },
    { state: OVER, count: over, kind: 'settled' },
  ];
  return found.map(
    ({ state, count, kind }) =>
      count > 0 && (
        <p key={kind}>
          <Link href={addressOf({ text, channel, state })}>
            {count === 1 ? `One ${kind} question matches` : `${count} ${kind} questions match`}
          </Link>
        </p>
      ),
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

/** Says that nobody has asked anything, and offers to ask a sample. */
function NothingYet() {
  const may = useMay();
  const { run, error } = useAttempt();
  return (
    <>
      {error !== undefined && <Problem error={error} />}
      <Blank
        title="Nothing yet"
        actions={
          may('openSuspension') && (
            // The stream reports the new question, like any other.
            <Button kind="primary" onPress={() => void run(api.askSample)}>
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
