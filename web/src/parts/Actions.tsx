import { useState } from 'react';
import { api } from '../api/calls.js';
import type { Question } from '../api/types.js';
import { useActing } from '../state/acting.js';
import { heldByOther } from '../state/answering.js';
import { atTime, serverNow } from '../state/clock.js';
import { voteOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useMay, useMe } from '../state/session.js';
import { visible } from '../state/visible.js';
import { DelegateDialog, WithdrawDialog } from './ActionDialogs.js';
import { Problem } from './Problem.js';
import { Button } from './ui.js';
import css from './Actions.module.css';

type Open = 'delegate' | 'withdraw' | undefined;

interface ActionsProps {
  readonly question: Question;
  readonly me: string | undefined;
  /** Goes to where a comment is written. */
  readonly comment: () => void;
}

/** What can be done to an open question besides answering it. */
export function Actions({ question, me, comment }: ActionsProps) {
  const [open, setOpen] = useState<Open>();
  const may = useMay();
  const { id } = question;
  const acting = useActing(id);
  const attend = useAttending(question, me, acting);
  const delegate = () => {
    setOpen('delegate');
  };
  const shut = () => {
    acting.forget();
    setOpen(undefined);
  };
  const offered = {
    c: may('claimSuspension') ? attend?.run : undefined,
    d: may('delegateSuspension') && isPassedOn(question, me) ? delegate : undefined,
    m: may('commentOnSuspension') ? comment : undefined,
  };
  useKeys(offered);
  return (
    <>
      <div className={css.actions} role="group" aria-label="What you can do">
        {offered.c && (
          <Button onPress={offered.c} shortcut="c" isPending={acting.isBusy}>
            {attend?.label}
          </Button>
        )}
        {offered.d && (
          <Button onPress={offered.d} shortcut="d">
            Delegate…
          </Button>
        )}
        {offered.m && (
          <Button onPress={offered.m} shortcut="m">
            Comment
          </Button>
        )}
        {may('cancelSuspension') && (
          <Button
            onPress={() => {
              setOpen('withdraw');
            }}
          >
            Withdraw…
          </Button>
        )}
      </div>
      {acting.error !== undefined && open === undefined && <Problem error={acting.error} isReply />}
      {open === 'delegate' && <DelegateDialog id={id} acting={acting} onClose={shut} />}
      {open === 'withdraw' && <WithdrawDialog id={id} acting={acting} onClose={shut} />}
    </>
  );
}

/**
 * What somebody can do about who looks at a question: claim it, release it, or take back that it was passed on. Undefined
 * while it is somebody else's, whom an admin alone can end.
 */
function useAttending(
  question: Question,
  me: string | undefined,
  { act }: ReturnType<typeof useActing>,
): { readonly label: string; readonly run: () => void } | undefined {
  const isAdmin = useMe()?.roles.includes('admin') ?? false;
  const { id, claim, question_version } = question;
  const release = () => void act(() => api.release(id, 'claim'));
  const takeBack = () => void act(() => api.release(id, 'delegation'));
  const isHeld = claim !== null && Date.parse(claim.expires_at) > serverNow();
  if (isHeld && claim.holder === me) return { label: 'Release', run: release };
  if (hasPassedOn(question, me)) return { label: 'Take back', run: takeBack };
  if (isHeld) return isAdmin ? { label: 'Release', run: release } : undefined;
  // Whoever has answered has no more to look at.
  if (voteOf(question, me)) return undefined;
  return { label: 'Claim', run: () => void act(() => api.claim(id, question_version)) };
}

/** Whether somebody has passed a question on, and that still counts. */
function hasPassedOn({ delegations }: Question, me: string | undefined): boolean {
  return delegations.some(({ by, in_force }) => by === me && in_force);
}

/** Whether a question can be passed on: one that one answer settles, that is no approval, and that nobody else has. */
function isPassedOn(question: Question, me: string | undefined): boolean {
  const { record, rule } = question;
  if (record.approval !== undefined || rule.quorum > 1) return false;
  return heldByOther(question, me) === undefined || hasPassedOn(question, me);
}

/** Who looks at a question, and until when that counts. */
export function Holder({
  question,
  me,
}: {
  readonly question: Question;
  readonly me: string | undefined;
}) {
  const { claim } = question;
  if (!claim || Date.parse(claim.expires_at) <= serverNow()) return null;
  const other = heldByOther(question, me);
  const until = atTime(claim.expires_at);
  return (
    <span className={css.holder}>
      {other ? `${visible(other.holder)} has it until ${until}` : `Claimed by you until ${until}`}
    </span>
  );
}
