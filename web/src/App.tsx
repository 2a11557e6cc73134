import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, lazy, useEffect } from 'react';
import { Link, Route, Router, Switch, useLocation, useRoute } from 'wouter';
import { UnreachableError, mayPass } from './api/http.js';
import { List } from './pages/List.js';
import { SignIn } from './pages/SignIn.js';
import { Frame } from './parts/Frame.js';
import { Problem } from './parts/Problem.js';
import { useSignInLink } from './state/one-time-link.js';
import { useLive } from './state/questions.js';
import { personOf, useSession } from './state/session.js';
import { VIEWS } from './state/views.js';
import css from './App.module.css';

const Question = lazy(async () => ({ default: (await import('./pages/Question.js')).Question }));
const Bulk = lazy(async () => ({ default: (await import('./pages/Bulk.js')).Bulk }));
const LinkPage = lazy(async () => ({ default: (await import('./pages/LinkPage.js')).LinkPage }));
const Settings = lazy(async () => ({ default: (await import('./pages/Settings.js')).Settings }));

const FRESH_MS = 30_000;
/** After so long, what is shown and could not be read anew is read once more. */
const AGAIN_MS = 3_000;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A page without a network says so, instead of waiting in silence.
      networkMode: 'always',
      retry: (failures, error) => error instanceof UnreachableError && failures < 1,
      refetchInterval: ({ state: { data, error } }) =>
        data !== undefined && mayPass(error) ? AGAIN_MS : false,
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
    },
  },
});

/** The inbox: every page of it lives below `/inbox`. */
export function App() {
  return (
    <QueryClientProvider client={client}>
      <Router base="/inbox">
        <Pages />
      </Router>
    </QueryClientProvider>
  );
}

/** A link of a message needs no session, everything else does. */
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
  if (session.isPending) return <Waiting />;
  // Whoever was signed in stays while that cannot be read anew: what is typed, and what the page says of its connection, too.
  if (session.isLoadingError) {
    return (
      <main className={css.alone}>
        <Problem error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  // A one-time link is for somebody, whoever was here before.
  if (session.data === null || link !== undefined) return <SignIn />;
  // Nothing on the page outlives the person that it was shown to.
  return <Inbox key={personOf(session.data)} />;
}

function Inbox() {
  useLive();
  return (
    <Frame>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/q/:id">{({ id }) => <Question key={id} id={id} />}</Route>
          <Route path="/bulk" component={Bulk} />
          <Route path="/settings" component={Settings} />
          <Route component={ListOrNothing} />
        </Switch>
      </Suspense>
    </Frame>
  );
}

/** The list at the path of a view. No other path is a page. */
function ListOrNothing() {
  const [path] = useLocation();
  const isView = VIEWS.some((view) => view.path === path);
  useEffect(() => {
    if (!isView) document.title = 'No such page · Holdpoint';
  }, [isView]);
  if (isView) return <List />;
  return (
    <main id="main" className={css.alone}>
      <h1>There is no such page</h1>
      <p>Its address may be cut off or mistyped.</p>
      <Link href="/">Go to the inbox</Link>
    </main>
  );
}

function Waiting() {
  return (
    <p className={css.waiting} role="status">
      Loading…
    </p>
  );
}
