import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useSavedAs, useSavedViews } from '../state/saved-views.js';
import { useMay } from '../state/session.js';
import { VIEWS, useListed } from '../state/views.js';
import type { View } from '../state/views.js';
import { cx } from './ui.js';
import { Written } from './Written.js';
import css from './Views.module.css';

interface ViewsProps {
  readonly current: View;
  readonly counts: Readonly<Partial<Record<View, number>>>;
}

/** The views of the inbox, each with the number of its open questions, and those that this person has saved. */
export function Views({ current, counts }: ViewsProps) {
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
