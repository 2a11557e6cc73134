import { useEffect, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { isNarrow } from '../state/narrow.js';
import css from './ui.module.css';

/** Class names without those that do not apply. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

interface ButtonProps {
  readonly children: ReactNode;
  readonly onPress?: () => void;
  readonly kind?: 'primary' | 'danger' | 'plain' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly autoFocus?: boolean;
  readonly label?: string;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Something to press. While what it began is under way, it does nothing. */
export function Button({
  kind = 'plain',
  type = 'button',
  children,
  label,
  shortcut,
  isPending = false,
  onPress,
  className,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      type={isPending ? 'button' : type}
      {...(onPress && !isPending && { onPress })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(shortcut !== undefined && { 'aria-keyshortcuts': shortcut })}
      className={cx(css.button, css[kind], isPending && css.pending, className)}
    >
      {children}
    </AriaButton>
  );
}

/** A short fact, set apart from the text around it. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'info' | 'good' | 'warn' | 'danger' | undefined;
  readonly children: ReactNode;
}) {
  return <span className={cx(css.badge, css[`tone-${tone}`])}>{children}</span>;
}

/** A part of a page with its heading. One that folds is closed on a phone until it is wanted. */
export function Section({
  title,
  aside,
  folds = false,
  className,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly folds?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(() => !isNarrow());
  const heading = (
    <>
      <h2>{title}</h2>
      {aside !== undefined && <span className={css.aside}>{aside}</span>}
    </>
  );
  if (!folds) {
    return (
      <section className={cx(css.section, className)}>
        <div className={css.head}>{heading}</div>
        {children}
      </section>
    );
  }
  return (
    <details
      className={cx(css.section, className)}
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className={css.head}>{heading}</summary>
      {children}
    </details>
  );
}

/**
 * Something that needs to be known now. `alert` interrupts whoever hears the page. One that replies to a press comes into view and
 * takes the focus, wherever on the page the press was.
 *
 * @param replyTo - what it replies to, each time anew; undefined if nobody has pressed for it
 */
export function Notice({
  tone,
  title,
  isAlert = false,
  replyTo,
  actions,
  children,
}: {
  readonly tone: 'info' | 'good' | 'warn' | 'danger';
  readonly title: string;
  readonly isAlert?: boolean;
  readonly replyTo?: unknown;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (replyTo === undefined) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [replyTo]);
  return (
    <div
      ref={box}
      className={cx(css.notice, css[`tone-${tone}`])}
      role={isAlert ? 'alert' : 'status'}
      {...(replyTo !== undefined && { tabIndex: -1 })}
    >
      <div className={css.noticeText}>
        <strong dir="auto">{title}</strong>
        {children}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}

/** What a page shows where it has nothing else. */
export function Blank({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={css.blank} role="status">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
