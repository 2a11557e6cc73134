import { Link } from 'wouter';
import { lastList } from '../state/views.js';
import css from './BackLink.module.css';

/** Leads back to the list that was shown last, with its filters. */
export function BackLink() {
  return (
    <Link href={lastList()} className={css.back}>
      ← Inbox
    </Link>
  );
}
