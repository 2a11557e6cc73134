import { Suspense, lazy } from 'react';
import { Waiting } from '../parts/Frame.js';
import { Blank } from '../parts/ui.js';
import { Views } from '../parts/Views.js';
import { useWide } from '../state/narrow.js';
import { useCounts } from '../state/questions.js';
import { useSnoozes } from '../state/snoozes.js';
import { useListed } from '../state/views.js';
import { List } from './List.js';
import css from './Questions.module.css';

const Question = lazy(async () => ({ default: (await import('./Question.js')).Question }));
const ShortLink = lazy(async () => ({ default: (await import('./ShortLink.js')).ShortLink }));

/** The characters of an id; messages that may not show all of it link to its beginning. */
const WHOLE_ID = 36;

/**
 * The list or a question; on a wide screen both, beside each other.
 *
 * @param id - of the question, or the beginning of it; undefined if none is open
 */
export function Questions({ id }: { readonly id: string | undefined }) {
  const isWide = useWide();
  const { view } = useListed();
  const counts = { ...useCounts(), snoozed: useSnoozes().length };
  const showsList = isWide || id === undefined;
  return (
    <div className={css.page}>
      {showsList && <Views current={view} counts={counts} />}
      <main id="main" className={css.panes}>
        {showsList && <List open={id} isBeside={isWide} waiting={counts.for_me} />}
        {id === undefined ? isWide && <NothingOpen /> : <Opened id={id} />}
      </main>
    </div>
  );
}

function Opened({ id }: { readonly id: string }) {
  return (
    <Suspense fallback={<Waiting />}>
      {id.length < WHOLE_ID ? <ShortLink id={id} /> : <Question key={id} id={id} />}
    </Suspense>
  );
}

/** Says how to open a question beside the list. */
function NothingOpen() {
  return (
    <div className={css.nothing}>
      <Blank title="No question is open">
        <p>
          The question that you choose from the list opens here. <kbd>j</kbd> and <kbd>k</kbd> go
          through the list, and <kbd>Enter</kbd> opens.
        </p>
      </Blank>
    </div>
  );
}
