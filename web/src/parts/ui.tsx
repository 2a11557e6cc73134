import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { Button as AriaButton, SwitchButton, SwitchField } from 'react-aria-components';
import { defined } from '../../../contracts/constants/defined.js';
import { isNarrow } from '../state/list/narrow.js';
import css from './ui.module.css';
import settingsCss from '../pages/Settings.module.css';
import { visible } from '../state/list/visible.js';

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

export function RiskBadge({ risk }: { readonly risk: keyof typeof RISK_TONES }) {
  return <Badge tone={RISK_TONES[risk]}>{risk} risk</Badge>;
}

interface FactProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
}

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

/** A message in place of an empty list. */
export function Blank({ title, children, actions }: BlankProps) {
  return (
    <div className={css.blank} role="status">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div className="wrapping">{actions}</div>}
    </div>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void | Promise<void>;
  readonly children: ReactNode;
}

export function Switch({ isOn, isDisabled = false, onChange, children }: SwitchProps) {
  return (
    <SwitchField
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={(selected) => void onChange(selected)}
    >
      <SwitchButton className={cx('tick', settingsCss.switch)}>
        <span className={settingsCss.track} aria-hidden="true" />
        {children}
      </SwitchButton>
    </SwitchField>
  );
}

type Option = readonly [value: string, shown: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** The label of no choice; without it, there is always a choice. */
  readonly none?: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string | undefined) => void;
}

export function Choice({ label, value, none, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      dir="auto"
      value={value ?? ''}
      onChange={(event) => {
        onChange(event.target.value === '' ? undefined : event.target.value);
      }}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(([name, shown]) => (
        <option key={name} value={name}>
          {visible(shown)}
        </option>
      ))}
    </select>
  );
}

/** Makes options from names. A chosen name stays, even if it is no longer among them. */
export function optionsOf(names: readonly string[], chosen: string | undefined): readonly Option[] {
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  return all.map((name) => [name, name]);
}

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  readonly of?: string;
}

/** Copies a text. If the browser refuses, it shows the text to be copied by hand. */
export function CopyButton({ text, label = 'Copy my draft', of }: CopyButtonProps) {
  const [state, setState] = useState<'new' | 'copied' | 'refused'>('new');
  if (state === 'refused') {
    return <textarea dir="auto" aria-label={label} rows={4} readOnly value={text} />;
  }
  return (
    <Button
      kind={of === undefined ? 'plain' : 'quiet'}
      onPress={() => {
        void copied(text).then((isDone) => {
          setState(isDone ? 'copied' : 'refused');
        });
      }}
    >
      {state === 'copied' ? 'Copied' : label}
      {of !== undefined && <span className="only-heard"> {of}</span>}
    </Button>
  );
}

/**
 * Copies a text to the clipboard, and returns whether it worked. Without `navigator.clipboard`, as over plain HTTP,
 * or if the browser refuses, a selected text can still be copied.
 */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'only-heard';
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without a secure context
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

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
