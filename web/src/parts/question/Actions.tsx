import { Label, TextArea, TextField } from 'react-aria-components';
import { api } from '../../api/calls.js';
import { useKeptText } from '../../state/answering/drafts.js';
import { isBlank, visible } from '../../state/list/visible.js';
import { Dialog, DialogButtons } from '../Dialog.js';
import { PersonField } from '../answer/PersonField.js';
import { Problem } from '../Problem.js';
import { Button } from '../ui.js';
import actionDialogsCss from './ActionDialogs.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useState, type ReactNode, type SubmitEvent } from 'react';
import type { Question } from '../../api/types.js';
import { claimOf, heldByOther, useActing, type Acting } from '../../state/answering/acting.js';
import { atTime } from '../../state/clock.js';
import { useKeys } from '../../state/keys.js';
import { useMay, useMe, usePrincipal } from '../../state/session.js';
import { renewSnoozes, useSnoozeOf } from '../../state/list/snoozes.js';
import { voteOf } from '../../state/facts.js';
import css from './Actions.module.css';

interface ActionDialogProps {
  readonly id: string;
  readonly acting: Acting;
  readonly onClose: () => void;
}

/** Delegates a question to somebody else, or to a group, with the reason. */
function DelegateDialog({ id, acting, onClose }: ActionDialogProps) {
  const [to, setTo, sentTo] = useKeptText(`delegate-to:${id}`);
  // The text above, if it is the name of a group.
  const [group, setGroup, sentGroup] = useKeptText(`delegate-group:${id}`);
  const [reason, setReason, sentReason] = useKeptText(`delegate:${id}`);
  const isGroup = group !== '' && group === to;
  const isReady = !isBlank(to) && !isBlank(reason);
  const submit = async () => {
    if (!isReady || acting.isBusy) return;
    const name = to.trim();
    const target = isGroup ? { to_group: name } : { to: name };
    if (!(await acting.act(() => api.delegate(id, target, reason)))) return;
    sentTo(to);
    sentGroup(group);
    sentReason(reason);
    onClose();
  };
  return (
    <Dialog
      title="Delegate"
      hasText={to !== '' || reason !== ''}
      onClose={onClose}
      onSend={() => void submit()}
    >
      <ActionForm
        action="Delegate"
        isReady={isReady}
        acting={acting}
        onClose={onClose}
        submit={submit}
      >
        <PersonField
          id={id}
          label="To whom"
          value={to}
          isGroup={isGroup}
          onChange={(text, isName) => {
            setTo(text);
            setGroup(isName ? text : '');
          }}
        />
        <TextField value={reason} onChange={setReason} isRequired className="labelled">
          <Label>Why</Label>
          <TextArea dir="auto" rows={3} />
        </TextField>
      </ActionForm>
    </Dialog>
  );
}

/** Withdraws a question, for good. */
function WithdrawDialog({ id, acting, onClose }: ActionDialogProps) {
  const [reason, setReason, sentReason] = useKeptText(`withdraw:${id}`);
  const submit = async () => {
    if (acting.isBusy) return;
    if (!(await acting.act(() => api.withdraw(id, isBlank(reason) ? '' : reason)))) return;
    sentReason(reason);
    onClose();
  };
  return (
    <Dialog title="Withdraw this question?" onClose={onClose} mustAnswer>
      <ActionForm action="Withdraw" isDanger acting={acting} onClose={onClose} submit={submit}>
        <p>Nobody can answer it any more, and everyone who waits for it is told.</p>
        <TextField value={reason} onChange={setReason} autoFocus className="labelled">
          <Label>Why (optional)</Label>
          <TextArea dir="auto" rows={2} />
        </TextField>
      </ActionForm>
    </Dialog>
  );
}

interface ActionFormProps extends Omit<ActionDialogProps, 'id'> {
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isReady?: boolean;
  readonly submit: () => Promise<void>;
  readonly children: ReactNode;
}

function ActionForm({
  action,
  isDanger = false,
  isReady = true,
  acting: { error, isBusy },
  onClose,
  submit,
  children,
}: ActionFormProps) {
  return (
    <form
      className={actionDialogsCss.form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {error !== undefined && <Problem error={error} isReply />}
      <DialogButtons>
        <Button onPress={onClose}>Back</Button>
        <Button
          kind={isDanger ? 'danger' : 'primary'}
          type="submit"
          isDisabled={!isReady}
          isPending={isBusy}
        >
          {action}
        </Button>
      </DialogButtons>
    </form>
  );
}

const SnoozeDialog = lazy(async () => ({
  default: (await import('../list/SnoozeDialog.js')).SnoozeDialog,
}));

function SnoozeAction({ question }: { readonly question: Question }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const mayDo = useMay()('snoozeSuspension');
  const { id } = question;
  const acting = useActing(id);
  const snooze = useSnoozeOf(id);
  const end = async () => {
    if (await acting.act(() => api.endSnooze(id))) renewSnoozes(client);
  };
  const run = () => {
    if (snooze) void end();
    else setOpen(true);
  };
  useKeys({ s: mayDo ? run : undefined });
  if (!mayDo) return null;
  return (
    <>
      <Button onPress={run} shortcut="s" isPending={acting.isBusy}>
        {snooze ? `End snooze, until ${atTime(snooze.until)}` : 'Snooze…'}
      </Button>
      {acting.error !== undefined && !isOpen && <Problem error={acting.error} isReply />}
      <Suspense>
        {isOpen && (
          <SnoozeDialog
            question={question}
            acting={acting}
            onClose={() => {
              acting.forget();
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

interface ActionsProps {
  readonly question: Question;
  readonly comment: () => void;
}

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
 * Returns what a person can do about the claim on a question: claim it, release it, or take back a delegation.
 * Undefined while somebody else has claimed it, which only an admin can end.
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

/** Whether a person has delegated a question and can take it back. */
function hasPassedOn({ delegations }: Question, me: string | undefined): boolean {
  return delegations.some(({ by, in_force }) => by === me && in_force);
}

/** Whether a question can be delegated: one answer settles it, it is no approval, and nobody else has claimed it. */
function canPassOn(question: Question, me: string | undefined): boolean {
  const { record, rule } = question;
  if (record.approval !== undefined || rule.quorum > 1) return false;
  return heldByOther(question, me) === undefined || hasPassedOn(question, me);
}

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
