import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { LIMITS } from '../../../../contracts/constants/limits.js';
import { api } from '../../api/calls.js';
import { newId } from '../../api/http.js';
import { useAttempt } from '../../state/answering/acting.js';
import { renew } from '../../state/store.js';
import { SAVED_VIEWS, useSavedViews, type Saved } from '../../state/list/saved-views.js';
import { listQueryOf, type Filters, type View } from '../../state/list/views.js';
import { Dialog, DialogButtons } from '../Dialog.js';
import { Problem } from '../Problem.js';
import { Button } from '../ui.js';
import css from '../question/ActionDialogs.module.css';

interface SavedViewDialogProps {
  readonly view: View;
  readonly filters: Filters;
  readonly saved: Saved | undefined;
  readonly onClose: () => void;
}

/** Returns the typed name, the view that already has it, and the calls that save and delete. */
function useSaving({ view, filters, saved, onClose }: SavedViewDialogProps) {
  const client = useQueryClient();
  const others = useSavedViews().filter(({ id }) => id !== saved?.id);
  const { run, isBusy, error } = useAttempt();
  const [newOne] = useState(newId);
  const [typed, type] = useState(saved?.name ?? '');
  const name = typed.trim();
  const namesake = others.find((other) => other.name === name);
  // A new view may replace another one; but if a saved view got the name of another, one of them would vanish
  // unnoticed.
  const isTaken = saved !== undefined && namesake !== undefined;
  const finish = async (call: () => Promise<unknown>) => {
    if (isBusy || (await run(call)) !== undefined) return;
    await renew(client, SAVED_VIEWS);
    onClose();
  };
  const save = async () => {
    if (name === '' || isTaken) return;
    const id = (saved ?? namesake)?.id ?? newOne;
    await finish(() => api.saveView(id, { name, filter: listQueryOf(view, filters) }));
  };
  const remove = () => finish(() => api.deleteView(saved?.id ?? newOne));
  const replaces = namesake !== undefined && !isTaken;
  const isNew = saved === undefined;
  const shown = { isNew, others, typed, type, name, isTaken, replaces } as const;
  return { ...shown, save, remove, isBusy, error } as const;
}

/** Asks for the name under which a list is saved. The name of another saved view replaces that. */
export function SavedViewDialog(props: SavedViewDialogProps) {
  const { saved, onClose } = props;
  const saving = useSaving(props);
  const { isTaken, replaces, isBusy, error } = saving;
  return (
    <Dialog
      title={saved ? 'Edit view' : 'Save view'}
      onClose={onClose}
      onSend={() => void saving.save()}
    >
      <form
        className={css.form}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          void saving.save();
        }}
      >
        <p>Its filters and its order stand beside the list, for you alone, in every browser.</p>
        <NameField saving={saving} />
        {error !== undefined && <Problem error={error} isReply />}
        <DialogButtons>
          {saved && (
            <Button kind="danger" isPending={isBusy} onPress={() => void saving.remove()}>
              Delete view
            </Button>
          )}
          <Button onPress={onClose}>Back</Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={saving.name === '' || isTaken}
            isPending={isBusy}
          >
            {replaces ? 'Replace' : 'Save'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The field for the name. For a new view it suggests the existing names. */
function NameField({ saving }: { readonly saving: ReturnType<typeof useSaving> }) {
  const names = useId();
  const { isNew, others, typed, type, isTaken, replaces } = saving;
  return (
    <>
      <label className="labelled">
        <span>Name</span>
        <input
          autoFocus
          required
          dir="auto"
          maxLength={LIMITS.viewNameCharacters}
          list={isNew ? names : undefined}
          value={typed}
          onChange={({ target: { value } }) => {
            type(value);
          }}
        />
      </label>
      <datalist id={names}>
        {others.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <p role="status">
        {isTaken && 'Another view of yours has this name.'}
        {replaces && 'It takes the place of your view of this name.'}
      </p>
    </>
  );
}
