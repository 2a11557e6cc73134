import { useState } from 'react';
import type { JsonValue } from '../../../contracts/primitives.js';
import { asksOnceMore } from '../../../domain/suspension/once-more.js';
import type { Entry } from '../api/types.js';
import { choicesOf } from '../parts/Choices.js';
import type { Entered } from '../form/field.js';
import type { ForAll } from './bulk-answering.js';
import { canSend, saidBy } from './filled.js';
import { useShownForm } from './shown-form.js';

type Entries = readonly [Entry, ...Entry[]];

/** The first question, with what is said of its choices only where all say the same. */
function askedOf([first, ...others]: Entries): Entry['record'] {
  const { record } = first;
  if (record.choices === undefined) return record;
  const choices = record.choices.map(({ description, ...choice }) => {
    const isSaidByAll = others.every((other) =>
      other.record.choices?.some(
        (one) => one.value === choice.value && one.description === description,
      ),
    );
    return isSaidByAll && description !== undefined ? { ...choice, description } : choice;
  });
  return { ...record, choices };
}

/** One answer for many questions while it is filled in, and while it waits for a second yes. */
export function useBulkDraft(entries: Entries, isBusy: boolean, send: (what: ForAll) => void) {
  const [value, setValue] = useState<JsonValue>('');
  const [form, setForm] = useState<Entered>();
  const [asking, setAsking] = useState<ForAll>();
  const record = askedOf(entries);
  const shown = useShownForm(record);
  const isReady = canSend(record, { value, form }) && shown.isShown;
  return {
    /** What the fields of the answer have to be given. */
    fields: {
      asked: record,
      value,
      onChange: setValue,
      form,
      onForm: setForm,
      onReady: shown.onReady,
    },
    chosen: choicesOf(record).find((choice) => choice.value === value),
    isReady,
    /** What waits for a second yes. */
    asking,
    /** Sends the answer, or first asks once more. */
    submit: () => {
      if (isBusy || asking || !isReady || !shown.isChecked()) return;
      const said = saidBy(record, { value, form });
      if (!said) return;
      if (entries.some((entry) => asksOnceMore(entry.record, said.value))) setAsking(said);
      else send(said);
    },
    confirm: () => {
      setAsking(undefined);
      if (asking) send(asking);
    },
    cancel: () => {
      setAsking(undefined);
    },
  } as const;
}
