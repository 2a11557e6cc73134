import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Redirect } from 'wouter';
import { api } from '../api/calls.js';
import { Problem } from '../parts/Problem.js';
import { Written } from '../parts/question/Written.js';
import { beginningOf } from '../state/facts.js';
import css from '../App.module.css';

/** How many questions are listed at most: a longer id finds any other one. */
const MOST = 10;

/** The target of a message's link with a shortened id: opens the question whose id begins with it. */
export function ShortLink({ id }: { readonly id: string }) {
  const found = useQuery({
    queryKey: ['short', id],
    queryFn: async ({ signal }) => {
      const query = { id_prefix: id, limit: String(MOST) };
      const states = ['pending', 'settled'] as const;
      const pages = await Promise.all(
        states.map((state) => api.list({ ...query, state, sort: 'newest' }, signal)),
      );
      return pages.flatMap(({ suspensions }) => suspensions);
    },
  });
  useEffect(() => {
    document.title = 'A question · Holdpoint';
  }, []);
  const [only, ...others] = found.data ?? [];
  if (only !== undefined && others.length === 0) return <Redirect to={`/q/${only.id}`} replace />;
  return (
    <div className={css.alone}>
      <h1>{only === undefined ? 'A question' : 'Several questions have this short address'}</h1>
      {found.isPending && <p role="status">Looking for the question…</p>}
      {found.isError && <Problem error={found.error} retry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p>No question that you may see has this address.</p>}
      <ul>
        {(found.data ?? []).map((entry) => (
          <li key={entry.id}>
            <Link href={`/q/${entry.id}`}>
              <Written text={beginningOf(entry.record.question)} />
            </Link>
          </li>
        ))}
      </ul>
      <Link href="/">Go to the inbox</Link>
    </div>
  );
}
