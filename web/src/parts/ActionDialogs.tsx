import type { ReactNode, SubmitEvent } from 'react';
import { Input, Label, TextArea, TextField } from 'react-aria-components';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import { api } from '../api/calls.js';
import type { useActing } from '../state/acting.js';
import { useKeptText } from '../state/kept-text.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { Problem } from './Problem.js';
import { Button } from './ui.js';
import css from './ActionDialogs.module.css';

interface ActionDialogProps {
  readonly id: string;
  readonly acting: ReturnType<typeof useActing>;
  readonly onClose: () => void;
}

/** Gives a question to somebody else, with the reason. */
export function DelegateDialog({ id, acting, onClose }: ActionDialogProps) {
  const [to, setTo] = useKeptText(`delegate-to:${id}`);
  const [reason, setReason] = useKeptText(`delegate:${id}`);
  const isReady = !isBlank(to) && !isBlank(reason);
  const submit = () => {
    if (!isReady || acting.isBusy) return;
    void acting
      .act(() => api.delegate(id, to.trim(), reason))
      .then((done) => {
        if (!done) return;
        setTo('');
        setReason('');
        onClose();
      });
  };
  return (
    <Dialog title="Delegate" hasText={to !== '' || reason !== ''} onClose={onClose} onSend={submit}>
      <DialogForm submit={submit}>
        <TextField value={to} onChange={setTo} autoFocus isRequired className={css.field ?? ''}>
          <Label>To whom</Label>
          <Input dir="auto" autoComplete="off" spellCheck={false} />
        </TextField>
        <TextField value={reason} onChange={setReason} isRequired className={css.field ?? ''}>
          <Label>Why</Label>
          <TextArea dir="auto" rows={3} />
        </TextField>
        {acting.error !== undefined && <Problem error={acting.error} isReply />}
        <DialogButtons>
          <Button onPress={onClose}>Back</Button>
          <Button kind="primary" type="submit" isDisabled={!isReady} isPending={acting.isBusy}>
            Delegate
          </Button>
        </DialogButtons>
      </DialogForm>
    </Dialog>
  );
}

/** Takes a question back, for good. */
export function WithdrawDialog({ id, acting, onClose }: ActionDialogProps) {
  const [reason, setReason] = useKeptText(`withdraw:${id}`);
  const submit = () => {
    if (acting.isBusy) return;
    void acting
      .act(() => api.withdraw(id, isBlank(reason) ? '' : reason))
      .then((done) => {
        if (!done) return;
        setReason('');
        onClose();
      });
  };
  return (
    <Dialog title="Withdraw this question?" onClose={onClose} mustAnswer>
      <DialogForm submit={submit}>
        <p>Nobody can answer it any more, and whoever waits is told that it was withdrawn.</p>
        <TextField value={reason} onChange={setReason} autoFocus className={css.field ?? ''}>
          <Label>Why (may stay empty)</Label>
          <TextArea dir="auto" rows={2} />
        </TextField>
        {acting.error !== undefined && <Problem error={acting.error} isReply />}
        <DialogButtons>
          <Button onPress={onClose}>Back</Button>
          <Button kind="danger" type="submit" isPending={acting.isBusy}>
            Withdraw
          </Button>
        </DialogButtons>
      </DialogForm>
    </Dialog>
  );
}

function DialogForm({
  submit,
  children,
}: {
  readonly submit: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      className={css.form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
    </form>
  );
}
