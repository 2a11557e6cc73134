import { useState } from 'react';
import type { ReactNode } from 'react';
import css from './Folded.module.css';

interface FoldedProps {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
}

/** Content that is rendered only while it is unfolded. */
export function Folded({ summary, children }: FoldedProps) {
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
