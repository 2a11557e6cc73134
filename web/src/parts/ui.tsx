import { useEffect, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { defined } from '../../../contracts/constants/defined.js';
import { isNarrow } from '../state/narrow.js';
import css from './ui.module.css';

/** Joins class names, without those that do not apply. */
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
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button, which does nothing while the action that it began is pending. */
export function Button({
  kind = 'plain',
  type = 'button',
  children,
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
      {...defined({
        onPress: isPending ? undefined : onPress,
        'aria-keyshortcuts': shortcut,
      })}
      className={cx(css.button, css[kind], isPending && css.pending, className)}
    >
      {children}
    </AriaButton>
  );
}

interface BadgeProps {
  readonly tone?: 'plain' | 'info' | 'good' | 'warn' | 'danger';
  readonly children: ReactNode;
}

/** A short fact, set apart from the text around it. */
export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={cx(css.badge, css[`tone-${tone}`])}>{children}</span>;
}

const RISK_TONES = { low: 'plain', medium: 'info', high: 'warn', critical: 'danger' } as const;

/** The risk of proposed calls. */
export function RiskBadge({ risk }: { readonly risk: keyof typeof RISK_TONES }) {
  return <Badge tone={RISK_TONES[risk]}>{risk} risk</Badge>;
}

interface FactProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

/** A fact with its name. It belongs into a `dl`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly folds?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A part of a page with its heading. On a phone, a part that folds is closed at first. */
export function Section({ title, aside, folds = false, className, children }: SectionProps) {
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

interface NoticeProps {
  readonly tone: 'info' | 'good' | 'warn' | 'danger';
  readonly title: string;
  /** Whether it interrupts a screen reader. */
  readonly isAlert?: boolean;
  /** What it replies to, with another value for each press; undefined if it replies to no press. */
  readonly replyTo?: unknown;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A message that people need to know now. If it replies to a press, it comes into view and takes the focus. */
export function Notice({ tone, title, isAlert = false, replyTo, actions, children }: NoticeProps) {
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
      tabIndex={replyTo === undefined ? undefined : -1}
    >
      <div className={css.noticeText}>
        <strong dir="auto">{title}</strong>
        {children}
      </div>
      {actions !== undefined && <div className="wrapping">{actions}</div>}
    </div>
  );
}

type BlankProps = Pick<NoticeProps, 'title' | 'children' | 'actions'>;

/** A message in the place of an empty list. */
export function Blank({ title, children, actions }: BlankProps) {
  return (
    <div className={css.blank} role="status">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div className="wrapping">{actions}</div>}
    </div>
  );
}
