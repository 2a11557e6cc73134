import { useState } from 'react';
import type { ReactNode } from 'react';
import css from './Folded.module.css';

/** Something that is there, and shown once it is wanted. */
export function Folded({
  summary,
  children,
}: {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={css.folded}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}
