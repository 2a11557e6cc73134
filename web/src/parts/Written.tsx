import type { ReactNode } from 'react';
import { isBlank, visible } from '../state/visible.js';
import { cx } from './ui.js';
import css from './Written.module.css';

/**
 * A text of somebody else exactly as it was written: with every blank and line break, in its own direction, and with
 * characters that nobody would see by their codes.
 */
export function Written({
  text,
  as: Element = 'span',
  className,
}: {
  readonly text: string;
  readonly as?: 'span' | 'div' | 'p' | 'h1' | 'del' | 'ins';
  readonly className?: string | undefined;
}) {
  const shown = visible(text);
  return (
    <Element dir="auto" className={cx(css.written, isBlank(shown) && css.blank, className)}>
      {shown}
    </Element>
  );
}

/** The same for a text in pieces, which are made visible already. */
export function WrittenIn({
  className,
  children,
}: {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div dir="auto" className={cx(css.written, className)}>
      {children}
    </div>
  );
}
