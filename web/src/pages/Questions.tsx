import { Suspense, lazy, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useSavedAs, useSavedViews } from '../state/list/saved-views.js';
import { useMay } from '../state/session.js';
import { VIEWS, useListed, type View } from '../state/list/views.js';
import { Blank, cx } from '../parts/ui.js';
import { Written } from '../parts/question/Written.js';
import css from './Questions.module.css';
import { Waiting } from '../parts/Frame.js';
import { useWide } from '../state/list/narrow.js';
import { useCounts } from '../state/list/questions.js';
import { useSnoozes } from '../state/list/snoozes.js';
import { List } from './List.js';

interface ViewsProps {
  readonly current: View;
  readonly counts: Readonly<Partial<Record<View, number>>>;
}

function Views({ current, counts }: ViewsProps) {
  const shown = useRef<HTMLAnchorElement>(null);
  const may = useMay();
  const saved = useSavedViews();
  const savedAs = useSavedAs(current, useListed().filters);
  useEffect(() => {
    // On a phone the views are one line, which is wider than the screen.
    shown.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, savedAs?.id]);
  const shownViews = may('listSnoozes') ? VIEWS : VIEWS.filter(({ view }) => view !== 'snoozed');
  return (
    <nav className={css.views} aria-label="Views">
      {shownViews.map(({ view, path, label }) => {
        const count = counts[view];
        const isCurrent = view === current && savedAs === undefined;
        return (
          <Link
            key={view}
            ref={isCurrent ? shown : undefined}
            href={path}
            className={cx(css.view, isCurrent && css.current)}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {label}
            {count !== undefined && (
              <span className={css.count}>
                {count}
                <span className="only-heard"> open</span>
              </span>
            )}
          </Link>
        );
      })}
      {saved.length > 0 && <h2 className={css.saved}>Saved views</h2>}
      {saved.map(({ id, name, address }) => (
        <Link
          key={id}
          ref={id === savedAs?.id ? shown : undefined}
          href={address}
          className={cx(css.view, css.named, id === savedAs?.id && css.current)}
          aria-current={id === savedAs?.id ? 'page' : undefined}
        >
          <Written text={name} />
        </Link>
      ))}
    </nav>
  );
}

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
