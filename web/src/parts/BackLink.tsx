import { Link, useLocation } from 'wouter';
import { leaveField, useKeys } from '../state/keys.js';
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

/** Returns a function that goes back to the list, and binds it to Esc outside of fields. */
export function useLeaving(): () => void {
  const [, navigate] = useLocation();
  const leave = () => {
    navigate(lastList());
  };
  useKeys({
    Escape: () => {
      if (!leaveField()) leave();
    },
  });
  return leave;
}
