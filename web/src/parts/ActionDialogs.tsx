import type { ReactNode, SubmitEvent } from 'react';
import { Label, TextArea, TextField } from 'react-aria-components';
import { api } from '../api/calls.js';
import type { Acting } from '../state/acting.js';
import { useKeptText } from '../state/kept-text.js';
import { isBlank } from '../state/visible.js';
import { Dialog, DialogButtons } from './Dialog.js';
import { PersonField } from './PersonField.js';
import { Problem } from './Problem.js';
import { Button } from './ui.js';
import css from './ActionDialogs.module.css';

interface ActionDialogProps {
  readonly id: string;
  readonly acting: Acting;
  readonly onClose: () => void;
}

/** Gives a question to somebody else, or to a group, with the reason. */
export function DelegateDialog({ id, acting, onClose }: ActionDialogProps) {
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

/** Takes a question back, for good. */
export function WithdrawDialog({ id, acting, onClose }: ActionDialogProps) {
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

/** The fields of a dialog, the refusal of the last attempt, and the buttons. */
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
      className={css.form}
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
