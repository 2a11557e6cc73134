import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SubmitEvent } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { api } from '../api/calls.js';
import { RefusedError } from '../api/http.js';
import { forgetSignInLink, spendSignInLink, useSignInLink } from '../state/one-time-link.js';
import { useSession, useSignIn } from '../state/session.js';
import { visible } from '../state/visible.js';
import { Problem } from './Problem.js';
import { Button, Notice } from './ui.js';
import css from './SignInForm.module.css';

const FAILED = 'sign_in';

/** Where the issuer asks who somebody is, and then sends back to this very page with what narrows it. */
function loginPath(): string {
  const kept = new URLSearchParams(location.search);
  kept.delete(FAILED);
  const page = kept.size === 0 ? location.pathname : `${location.pathname}?${kept.toString()}`;
  return `/session/login?${new URLSearchParams({ return_to: page }).toString()}`;
}

/** Why the issuer did not sign somebody in, as the address says once it has sent back. */
function failedLogin(): string | null {
  return new URLSearchParams(location.search).get(FAILED);
}

/** The ways to sign in that the API offers. */
export function SignInForm() {
  const methods = useQuery({ queryKey: ['methods'], queryFn: ({ signal }) => api.methods(signal) });
  const { run, isBusy, error } = useProof();
  const [key, setKey] = useState('');
  const again = useLinkProof(run);
  if (methods.isError) {
    return <Problem error={methods.error} retry={() => void methods.refetch()} />;
  }
  const failed = failedLogin();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (key !== '') void run({ key });
  };
  const { oidc = false, key: takesKey = false } = methods.data ?? {};
  return (
    <div className={css.ways}>
      <NoCookies />
      {error !== undefined && <NotSignedIn error={error} again={again} isBusy={isBusy} />}
      {failed !== null && error === undefined && (
        <Notice tone="danger" title="Your organisation did not sign you in" isAlert>
          <p>
            Code <code>{failed}</code>. Try again, or ask who looks after Holdpoint.
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
          <TextField
            type="password"
            value={key}
            onChange={setKey}
            autoFocus
            className={css.field ?? ''}
          >
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

/** Says that nobody can sign in, before anybody tries. */
function NoCookies() {
  if (navigator.cookieEnabled) return null;
  return (
    <Notice tone="danger" title="This browser takes no cookies from here" isAlert>
      <p>Nobody can sign in without them. Allow cookies for this site, then load the page again.</p>
    </Notice>
  );
}

/** A proof that was refused. Of a one-time link it says what is left: to try it again, or to stay who one is. */
function NotSignedIn({
  error,
  again,
  isBusy,
}: {
  readonly error: unknown;
  readonly again: (() => void) | undefined;
  readonly isBusy: boolean;
}) {
  const link = useSignInLink();
  const session = useSession().data;
  // The same at each rendering: the notice takes the focus for each error anew, also while somebody types.
  const isLink = link !== undefined;
  const told = useMemo(() => retold(error, isLink), [error, isLink]);
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
  return <Problem error={told} title="That did not sign you in" actions={ways} isProof isReply />;
}

/** A refused proof, in words for people. Others than that it is not known say themselves what is wrong. */
function retold(error: unknown, isLink: boolean): unknown {
  if (!(error instanceof RefusedError) || error.problem.code !== 'unauthenticated') return error;
  return error.retold(isLink ? 'This link is none of ours.' : 'This key is not known here.');
}

/** Signs in with the link that the page was opened with. Returns what tries it again, as long as that can help. */
function useLinkProof(run: (proof: Proof) => Promise<unknown>): (() => void) | undefined {
  const token = useSignInLink()?.token;
  const tryLink = useCallback(async () => {
    // A link works once: it is not spent where nothing could come of it.
    if (token === undefined || !navigator.cookieEnabled) return;
    if (isSpent(await run({ link: token }))) spendSignInLink();
  }, [run, token]);
  useEffect(() => {
    void tryLink();
  }, [tryLink]);
  return token === undefined ? undefined : () => void tryLink();
}

const SPENT = ['sign_in_link_used', 'sign_in_link_expired'];

/** Whether a refusal is for good. One that is too early, or no reply at all, leaves the link as it is. */
function isSpent(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false;
  const { status, code } = error.problem;
  return status === 401 || SPENT.includes(code);
}

type Proof = Parameters<ReturnType<typeof useSignIn>>[0];

/** Signs in, and keeps what was refused to show it. `run` resolves to the refusal. */
function useProof() {
  const signIn = useSignIn();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  });
  const [run] = useState(() => async (proof: Proof) => {
    setState({ isBusy: true });
    try {
      await signIn(proof);
      forgetSignInLink();
      setState({ isBusy: false });
      return undefined;
    } catch (error) {
      setState({ isBusy: false, error });
      return error;
    }
  });
  return { run, ...state };
}
