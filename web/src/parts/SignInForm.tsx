import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type SubmitEvent } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { api } from '../api/calls.js';
import { RefusedError, refusalIn } from '../api/http.js';
import { useAttempt } from '../state/answering/acting.js';
import { forgetSignInLink, spendSignInLink, useSignInLink } from '../state/one-time-link.js';
import { useSession, useSignIn } from '../state/session.js';
import { visible } from '../state/list/visible.js';
import { Problem } from './Problem.js';
import { Button, Notice } from './ui.js';
import css from './SignInForm.module.css';

const FAILED = 'sign_in';

/** Returns the address of the sign-in at the issuer, which then returns to this page with its filters. */
function loginPath(): string {
  const kept = new URLSearchParams(location.search);
  kept.delete(FAILED);
  const page = kept.size === 0 ? location.pathname : `${location.pathname}?${kept.toString()}`;
  return `/session/login?${new URLSearchParams({ return_to: page }).toString()}`;
}

/** Returns why the issuer did not sign somebody in. The address says so after it has led back. */
function failedLogin(): string | null {
  return new URLSearchParams(location.search).get(FAILED);
}

export function SignInForm() {
  const methods = useQuery({ queryKey: ['methods'], queryFn: ({ signal }) => api.methods(signal) });
  const { prove, isBusy, error } = useProof();
  const [key, setKey] = useState('');
  const again = useLinkProof(prove);
  if (methods.isError) {
    return <Problem error={methods.error} retry={() => void methods.refetch()} />;
  }
  const failed = failedLogin();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (key !== '') void prove({ key });
  };
  const { oidc = false, key: takesKey = false } = methods.data ?? {};
  return (
    <div className={css.ways}>
      <NoCookies />
      {error !== undefined && <NotSignedIn error={error} again={again} isBusy={isBusy} />}
      {failed !== null && error === undefined && (
        <Notice tone="danger" title="Your organisation did not sign you in" isAlert>
          <p>
            Code <code>{failed}</code>. Try again, or ask the people who run Holdpoint.
          </p>
        </Notice>
      )}
      {oidc && (
        <a className={css.issuer} href={loginPath()}>
          Sign in with your organisation
        </a>
      )}
      {takesKey && (
        <form className={css.form} onSubmit={submit}>
          <TextField type="password" value={key} onChange={setKey} autoFocus className="labelled">
            <Label>{oidc ? 'Or with a key' : 'Key'}</Label>
            <Input autoComplete="current-password" spellCheck={false} />
          </TextField>
          <Button kind={oidc ? 'plain' : 'primary'} type="submit" isPending={isBusy}>
            {isBusy ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
      )}
      {methods.isPending && <p role="status">Loading…</p>}
    </div>
  );
}

/** Says that signing in is impossible, before anybody tries. */
function NoCookies() {
  if (navigator.cookieEnabled) return null;
  return (
    <Notice tone="danger" title="This browser does not accept cookies from here" isAlert>
      <p>Nobody can sign in without them. Allow cookies for this site, then load the page again.</p>
    </Notice>
  );
}

interface NotSignedInProps {
  readonly error: unknown;
  readonly again: (() => void) | undefined;
  readonly isBusy: boolean;
}

/** Says that a proof was refused. After a one-time link, it offers to try again, or to continue with the current session. */
function NotSignedIn({ error, again, isBusy }: NotSignedInProps) {
  const link = useSignInLink();
  const session = useSession().data;
  // Memoised, because the notice takes the focus for each new error object.
  const isLink = link !== undefined;
  const shown = useMemo(() => retold(error, isLink), [error, isLink]);
  const ways = link && (
    <>
      {again && (
        <Button onPress={again} isPending={isBusy}>
          Try again
        </Button>
      )}
      {session && (
        <Button onPress={forgetSignInLink}>Continue as {visible(session.principal)}</Button>
      )}
    </>
  );
  return <Problem error={shown} title="That did not sign you in" actions={ways} isProof isReply />;
}

/** Rewords the refusal of an unknown proof for people. Other refusals are plain enough. */
function retold(error: unknown, isLink: boolean): unknown {
  if (!(error instanceof RefusedError) || error.problem.code !== 'unauthenticated') return error;
  return error.retold(isLink ? 'This link is not from Holdpoint.' : 'This key is not known here.');
}

/** Signs in with the link of the page. Returns a function that tries again while that can help. */
function useLinkProof(prove: (proof: Proof) => Promise<unknown>): (() => void) | undefined {
  const token = useSignInLink()?.token;
  const tryLink = useCallback(async () => {
    // A link works once, so it is not spent if the browser would not keep the session.
    if (token === undefined || !navigator.cookieEnabled) return;
    if (isSpent(await prove({ link: token }))) spendSignInLink();
  }, [prove, token]);
  useEffect(() => {
    void tryLink();
  }, [tryLink]);
  return token === undefined ? undefined : () => void tryLink();
}

const SPENT = ['sign_in_link_used', 'sign_in_link_expired'];

/** Whether a link is refused for good. A link that is too early, or had no reply, can be tried again. */
function isSpent(error: unknown): boolean {
  const problem = refusalIn(error);
  return problem !== undefined && (problem.status === 401 || SPENT.includes(problem.code));
}

type Proof = Parameters<ReturnType<typeof useSignIn>>[0];

/** Signs in, and keeps the refusal to show it. `prove` resolves to it, too. */
function useProof() {
  const signIn = useSignIn();
  const { run, isBusy, error } = useAttempt();
  const prove = useCallback(
    (proof: Proof) =>
      run(async () => {
        await signIn(proof);
        forgetSignInLink();
      }),
    [run, signIn],
  );
  return { prove, isBusy, error };
}
