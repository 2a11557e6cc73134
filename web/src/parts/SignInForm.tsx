import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SubmitEvent } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { api } from '../api/calls.js';
import { forgetSignInLink, useSignInLink } from '../state/one-time-link.js';
import { useSignIn } from '../state/session.js';
import { Problem } from './Problem.js';
import { Button, Notice } from './ui.js';
import css from './SignInForm.module.css';

/** Where the issuer asks who somebody is, and then sends back to this very page. */
function loginPath(): string {
  return `/session/login?${new URLSearchParams({ return_to: location.pathname }).toString()}`;
}

/** Why the issuer did not sign somebody in, as the address says once it has sent back. */
function failedLogin(): string | null {
  return new URLSearchParams(location.search).get('sign_in');
}

/** The ways to sign in that the API offers. */
export function SignInForm() {
  const methods = useQuery({ queryKey: ['methods'], queryFn: ({ signal }) => api.methods(signal) });
  const { run, isBusy, error } = useProof();
  const [key, setKey] = useState('');
  const link = useSignInLink();
  useEffect(() => {
    if (link !== undefined) void run({ link }).then(forgetSignInLink);
  }, [run, link]);
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
      {error !== undefined && <Problem error={error} title="That did not sign you in" />}
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

type Proof = Parameters<ReturnType<typeof useSignIn>>[0];

/** Signs in, and keeps what was refused to show it. */
function useProof() {
  const signIn = useSignIn();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  });
  const [run] = useState(() => async (proof: Proof) => {
    setState({ isBusy: true });
    try {
      await signIn(proof);
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  });
  return { run, ...state };
}
