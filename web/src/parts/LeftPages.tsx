import { Link } from 'wouter';
import { useLeftPages } from '../state/returning.js';
import { useSessionEnded } from '../state/session.js';
import { Notice } from './ui.js';

/** Leads back to questions whose answers were sent when somebody left them, and not taken. */
export function LeftPages() {
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
