import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useConnection, useStreamRefusal } from '../state/connection.js';
import { useKeys } from '../state/keys.js';
import { useMe, useSessionEnded, useSignOut } from '../state/session.js';
import { useStorageBlocked } from '../state/storage.js';
import { visible } from '../state/visible.js';
import { Problem } from './Problem.js';
import { Button, Notice } from './ui.js';
import css from './Frame.module.css';

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

/** What every page has for whoever is signed in: where one is, whether the page is live, and the way to the rest. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [helps, setHelps] = useState(false);
  const connection = useConnection();
  const hasEnded = useSessionEnded();
  const me = useMe();
  const signOut = useSignOut();
  useKeys({
    '?': () => {
      setHelps(true);
    },
  });
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        Skip to the questions
      </a>
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
          <Button
            kind="quiet"
            className={css.wide}
            shortcut="?"
            onPress={() => {
              setHelps(true);
            }}
          >
            Help
          </Button>
          <Link href="/settings" className={css.link}>
            Settings
          </Link>
          <Button kind="quiet" className={css.wide} onPress={() => void signOut()}>
            Sign out
          </Button>
        </nav>
      </header>
      <ConnectionNotice />
      <StorageNotice />
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

/** Says that the page has lost the API, and that it has found it again. */
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
        <Problem error={refusal} title="Changes are not shown by themselves" />
      )}
      {connection === 'restored' && (
        <Notice tone="good" title="Connected again">
          <p>Everything here was read anew.</p>
        </Notice>
      )}
    </div>
  );
}

/** Says that a reload, or another page, loses what somebody types. */
function StorageNotice() {
  const isBlocked = useStorageBlocked();
  if (!isBlocked) return null;
  return (
    <div className={css.notices}>
      <Notice tone="warn" title="This browser keeps nothing for this page">
        <p>
          You can answer as usual, but what you type is lost when you load the page anew. Allow this
          site to store data to keep it.
        </p>
      </Notice>
    </div>
  );
}

/** The sign of Holdpoint. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" className={css.markBack} />
      <path d="M11 8v16M21 8v16M11 16h10" className={css.markLine} />
    </svg>
  );
}
