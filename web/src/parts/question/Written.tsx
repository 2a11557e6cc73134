import type { ReactNode } from 'react';
import { isBlank, visible } from '../../state/list/visible.js';
import { cx } from '../ui.js';
import css from './Written.module.css';

interface WrittenProps {
  readonly text: string;
  readonly as?: 'span' | 'div' | 'p' | 'h1' | 'del' | 'ins';
  readonly className?: string | undefined;
}

/**
 * A text of somebody else exactly as it was written: with every blank and line break, in its own direction. Invisible
 * characters are shown by their codes.
 */
export function Written({ text, as: Element = 'span', className }: WrittenProps) {
  const shown = visible(text);
  return (
    <Element dir="auto" className={cx(css.written, isBlank(shown) && css.blank, className)}>
      {shown}
    </Element>
  );
}

interface WrittenInProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Shows a text in pieces in the same way; they are already made visible. */
export function WrittenIn({ className, children }: WrittenInProps) {
  return (
    <div dir="auto" className={cx(css.written, className)}>
      {children}
    </div>
  );
}
