import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { VIEWS } from '../state/views.js';
import type { View } from '../state/views.js';
import { cx } from './ui.js';
import css from './Views.module.css';

/** The views of the inbox, each with the number of its open questions. */
export function Views({
  current,
  counts,
}: {
  readonly current: View;
  readonly counts: Readonly<Partial<Record<View, number>>>;
}) {
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On a phone they are a line that is wider than the screen.
    shown.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav className={css.views} aria-label="Views">
      {VIEWS.map(({ view, path, label }) => {
        const count = counts[view];
        return (
          <Link
            key={view}
            ref={view === current ? shown : undefined}
            href={path}
            className={cx(css.view, view === current && css.current)}
            aria-current={view === current ? 'page' : undefined}
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
    </nav>
  );
}
