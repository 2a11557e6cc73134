import { Link } from 'wouter';
import { useLeftPages } from '../state/returning.js';
import { useMe, useSessionEnded, useSignOut } from '../state/session.js';
import { Button, Notice, cx } from './ui.js';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import { useConnection, useStreamRefusal } from '../state/connection.js';
import { useKeys } from '../state/keys.js';
import { useStorageBlocked } from '../state/storage.js';
import { visible } from '../state/list/visible.js';
import { Problem } from './Problem.js';
import css from './Frame.module.css';

/** Links to questions whose answers were sent when somebody left their pages, and refused. */
function LeftPages() {
  const pages = useLeftPages(useSessionEnded());
  if (pages.length === 0) return null;
  return (
    <Notice
      tone="danger"
      isAlert
      title={pages.length === 1 ? 'An answer was not taken' : 'Some answers were not taken'}
    >
      <ul>
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link href={path}>Back to: {title}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const HelpDialog = lazy(async () => ({ default: (await import('./HelpDialog.js')).HelpDialog }));
const SessionEnded = lazy(async () => ({
  default: (await import('./SessionEnded.js')).SessionEnded,
}));

const CONNECTIONS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected',
  restored: 'Live',
  refused: 'Not live',
} as const;

/** The frame of every page for people who are signed in: the name, the connection, and the links. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [helps, setHelps] = useState(false);
  const hasEnded = useSessionEnded();
  const help = () => {
    setHelps(true);
  };
  useKeys({ '?': help });
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        Skip to the questions
      </a>
      <Bar help={help} />
      <ConnectionNotice />
      <StorageNotice />
      <LeftPages />
      {children}
      <Suspense>
        {helps && (
          <HelpDialog
            onClose={() => {
              setHelps(false);
            }}
          />
        )}
        {hasEnded && <SessionEnded />}
      </Suspense>
    </div>
  );
}

function Bar({ help }: { readonly help: () => void }) {
  const connection = useConnection();
  const me = useMe();
  const signOut = useSignOut();
  return (
    <header className={css.bar}>
      <Link href="/" className={css.brand}>
        <Mark />
        Holdpoint
      </Link>
      <span className={css.connection} data-state={connection}>
        {CONNECTIONS[connection]}
      </span>
      <nav className={css.links} aria-label="You">
        {me && <span className={css.who}>{visible(me.principal)}</span>}
        <Button kind="quiet" className={css.wide} shortcut="?" onPress={help}>
          Help
        </Button>
        <Link href="/report" className={cx(css.link, css.wide)}>
          Report
        </Link>
        <Link href="/settings" className={css.link}>
          Settings
        </Link>
        <Button kind="quiet" className={css.wide} onPress={() => void signOut()}>
          Sign out
        </Button>
      </nav>
    </header>
  );
}

function ConnectionNotice() {
  const connection = useConnection();
  const refusal = useStreamRefusal();
  return (
    <div className={css.notices} aria-live="polite">
      {connection === 'lost' && (
        <Notice tone="warn" title="Not connected">
          <p>
            What you see may be out of date. What you type is kept, and nothing is sent by itself.
            The page connects again by itself.
          </p>
        </Notice>
      )}
      {connection === 'refused' && refusal && (
        <Problem error={refusal} title="Changes do not appear automatically" />
      )}
      {connection === 'restored' && (
        <Notice tone="good" title="Connected again">
          <p>Everything here is up to date again.</p>
        </Notice>
      )}
    </div>
  );
}

/** Says that a reload, or leaving the page, loses what somebody types. */
function StorageNotice() {
  const isBlocked = useStorageBlocked();
  if (!isBlocked) return null;
  return (
    <div className={css.notices}>
      <Notice tone="warn" title="This browser stores nothing for this page">
        <p>
          You can answer as usual, but what you type is lost when you reload the page. Allow this
          site to store data to keep it.
        </p>
      </Notice>
    </div>
  );
}

/** Is shown instead of what is being read. */
export function Waiting() {
  return (
    <p className={css.waiting} role="status">
      Loading…
    </p>
  );
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" className={css.markBack} />
      <path d="M11 8v16M21 8v16M11 16h10" className={css.markLine} />
    </svg>
  );
}
