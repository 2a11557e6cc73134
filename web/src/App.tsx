import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, lazy, useEffect } from 'react';
import { Link, Route, Router, Switch, useLocation, useRoute } from 'wouter';
import { UnreachableError, mayPass } from './api/http.js';
import { Questions } from './pages/Questions.js';
import { SignIn } from './pages/SignIn.js';
import { Frame, Waiting } from './parts/Frame.js';
import { Problem } from './parts/Problem.js';
import { ImageHosts } from './state/list/looks.js';
import { noteChange, useNoticing, usePushAgain } from './state/notices.js';
import { useSignInLink } from './state/one-time-link.js';
import { useLive } from './state/list/questions.js';
import { personOf, useIsMePending, useSession } from './state/session.js';
import { useSnoozeEnds } from './state/list/snoozes.js';
import { isList } from './state/list/views.js';
import css from './App.module.css';

const Bulk = lazy(async () => ({ default: (await import('./pages/Bulk.js')).Bulk }));
const LinkPage = lazy(async () => ({ default: (await import('./pages/LinkPage.js')).LinkPage }));
const Settings = lazy(async () => ({ default: (await import('./pages/Settings.js')).Settings }));
const Report = lazy(async () => ({ default: (await import('./pages/Report.js')).Report }));

const FRESH_MS = 30_000;
/** After a failed read of what the page shows, it reads again after this time. */
const AGAIN_MS = 3_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a network, a read fails and the page says so, instead of waiting silently.
      networkMode: 'always',
      retry: (failures, error) => error instanceof UnreachableError && failures < 1,
      refetchInterval: ({ state: { data, error } }) =>
        data !== undefined && mayPass(error) ? AGAIN_MS : false,
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
    },
  },
});

/** The inbox. All its pages are below `/inbox`. */
export function App() {
  return (
    <QueryClientProvider client={client}>
      <Router base="/inbox">
        <Pages />
      </Router>
    </QueryClientProvider>
  );
}

/** The link of a message needs no session; everything else does. */
function Pages() {
  const [isLink] = useRoute('/link');
  if (isLink) {
    return (
      <Suspense fallback={<Waiting />}>
        <LinkPage />
      </Suspense>
    );
  }
  return <SignedIn />;
}

function SignedIn() {
  const session = useSession();
  const link = useSignInLink();
  useWhenOnline(session.isLoadingError ? session.refetch : undefined);
  if (session.isPending) return <Waiting />;
  // A person who was signed in keeps the page, with all that is typed, even if the session cannot be read again.
  if (session.isLoadingError) {
    return (
      <main className={css.alone}>
        <Problem error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  // A one-time link signs in its own person, whoever was here before.
  if (session.data === null || link !== undefined) return <SignIn />;
  // The key discards everything on the page when another person signs in.
  const person = personOf(session.data);
  return (
    <ImageHosts value={session.data.image_hosts}>
      <Inbox key={person} person={person} />
    </ImageHosts>
  );
}

/** Lets a page that was opened without a network read again once there is one. */
function useWhenOnline(read: (() => unknown) | undefined): void {
  useEffect(() => {
    const again = () => read?.();
    window.addEventListener('online', again);
    return () => {
      window.removeEventListener('online', again);
    };
  }, [read]);
}

function Inbox({ person }: { readonly person: string }) {
  useSnoozeEnds();
  useLive(noteChange);
  useNoticing();
  usePushAgain(person);
  const isMePending = useIsMePending();
  return <Frame>{isMePending ? <Waiting /> : <Page />}</Frame>;
}

function Page() {
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/bulk" component={Bulk} />
        <Route path="/report" component={Report} />
        <Route path="/settings" component={Settings} />
        <Route component={QuestionsOrNothing} />
      </Switch>
    </Suspense>
  );
}

/** The list at the path of a view, or a question. No other path is a page. */
function QuestionsOrNothing() {
  const [path] = useLocation();
  const [isQuestion, question] = useRoute('/q/:id');
  const isPage = isQuestion || isList(path);
  useEffect(() => {
    if (!isPage) document.title = 'No such page · Holdpoint';
  }, [isPage]);
  // Both use the same element, so that the list does not change beside a question.
  if (isPage) return <Questions id={question?.id} />;
  return (
    <main id="main" className={css.alone}>
      <h1>There is no such page</h1>
      <p>Its address may be cut off or mistyped.</p>
      <Link href="/">Go to the inbox</Link>
    </main>
  );
}
