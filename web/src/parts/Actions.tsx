import { useState } from 'react';
import { api } from '../api/calls.js';
import type { Question } from '../api/types.js';
import { useActing } from '../state/acting.js';
import { heldByOther } from '../state/answering.js';
import { atTime, serverNow } from '../state/clock.js';
import { useKeys } from '../state/keys.js';
import { useMay } from '../state/session.js';
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
  const { isClaimed, toggle } = useClaim(question, me, acting);
  const delegate = () => {
    setOpen('delegate');
  };
  const shut = () => {
    acting.forget();
    setOpen(undefined);
  };
  const offered = {
    c: may('claimSuspension') ? toggle : undefined,
    d: may('delegateSuspension') ? delegate : undefined,
    m: may('commentOnSuspension') ? comment : undefined,
  };
  useKeys(offered);
  return (
    <>
      <div className={css.actions} role="group" aria-label="What you can do">
        {offered.c && (
          <Button onPress={offered.c} shortcut="c" isPending={acting.isBusy}>
            {isClaimed ? 'Release' : 'Claim'}
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
      {acting.error !== undefined && open === undefined && <Problem error={acting.error} />}
      {open === 'delegate' && <DelegateDialog id={id} acting={acting} onClose={shut} />}
      {open === 'withdraw' && <WithdrawDialog id={id} acting={acting} onClose={shut} />}
    </>
  );
}

/** Claims a question, or releases it where whoever is signed in has it. */
function useClaim(
  { id, claim }: Question,
  me: string | undefined,
  { act }: ReturnType<typeof useActing>,
) {
  const isClaimed = claim?.holder === me && Date.parse(claim?.expires_at ?? '') > serverNow();
  return {
    isClaimed,
    toggle: () => void act(() => (isClaimed ? api.release(id) : api.claim(id))),
  } as const;
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
