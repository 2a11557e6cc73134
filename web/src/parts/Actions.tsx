import { useState } from 'react';
import { api } from '../api/calls.js';
import type { Question } from '../api/types.js';
import { useActing } from '../state/acting.js';
import type { Acting } from '../state/acting.js';
import { claimOf, heldByOther } from '../state/claims.js';
import { atTime } from '../state/clock.js';
import { voteOf } from '../state/facts.js';
import { useKeys } from '../state/keys.js';
import { useMay, useMe, usePrincipal } from '../state/session.js';
import { visible } from '../state/visible.js';
import { DelegateDialog, WithdrawDialog } from './ActionDialogs.js';
import { Problem } from './Problem.js';
import { SnoozeAction } from './SnoozeAction.js';
import { Button } from './ui.js';
import css from './Actions.module.css';

interface ActionsProps {
  readonly question: Question;
  /** Goes to the field for a comment. */
  readonly comment: () => void;
}

/** The actions on an open question besides answering it. */
export function Actions({ question, comment }: ActionsProps) {
  const [open, setOpen] = useState<'delegate' | 'withdraw'>();
  const may = useMay();
  const me = usePrincipal();
  const { id } = question;
  const acting = useActing(id);
  const attend = useAttending(question, acting);
  const delegate = () => {
    setOpen('delegate');
  };
  const shut = () => {
    acting.forget();
    setOpen(undefined);
  };
  const offered = {
    c: may('claimSuspension') ? attend?.run : undefined,
    d: may('delegateSuspension') && canPassOn(question, me) ? delegate : undefined,
    m: may('commentOnSuspension') ? comment : undefined,
  };
  useKeys(offered);
  return (
    <>
      <div className="wrapping" role="group" aria-label="What you can do">
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
        <SnoozeAction question={question} />
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
 * Returns what a person can do about the claim on a question: claim it, release it, or take it back after passing it on. Undefined
 * while somebody else has claimed it, which only an admin can end.
 */
function useAttending(
  question: Question,
  { act }: Acting,
): { readonly label: string; readonly run: () => void } | undefined {
  const { principal: me, roles = [] } = useMe() ?? {};
  const { id, question_version } = question;
  const claim = claimOf(question);
  const release = () => void act(() => api.release(id, 'claim'));
  const takeBack = () => void act(() => api.release(id, 'delegation'));
  if (claim && claim.holder === me) return { label: 'Release', run: release };
  if (hasPassedOn(question, me)) return { label: 'Take back', run: takeBack };
  if (claim) return roles.includes('admin') ? { label: 'Release', run: release } : undefined;
  // A person who has answered has no reason to claim it.
  if (voteOf(question, me)) return undefined;
  return { label: 'Claim', run: () => void act(() => api.claim(id, question_version)) };
}

/** Whether a person has passed a question on and can take it back. */
function hasPassedOn({ delegations }: Question, me: string | undefined): boolean {
  return delegations.some(({ by, in_force }) => by === me && in_force);
}

/** Whether a question can be passed on: one answer settles it, it is no approval, and nobody else has claimed it. */
function canPassOn(question: Question, me: string | undefined): boolean {
  const { record, rule } = question;
  if (record.approval !== undefined || rule.quorum > 1) return false;
  return heldByOther(question, me) === undefined || hasPassedOn(question, me);
}

/** Says who has claimed a question, and until when. */
export function Holder({ question }: { readonly question: Question }) {
  const me = usePrincipal();
  const claim = claimOf(question);
  if (!claim) return null;
  const { holder, expires_at } = claim;
  const who = holder === me ? 'Claimed by you' : `${visible(holder)} has it`;
  return (
    <span className={css.holder}>
      {who} until {atTime(expires_at)}
    </span>
  );
}
