import { useState } from 'react';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { asksOnceMore } from '../../../domain/suspension/form/once-more.js';
import type { Entry, Said } from '../api/types.js';
import { choicesOf } from '../parts/Choices.js';
import type { Entered } from '../form/field.js';
import { leftBulk } from './bulk-answering.js';
import { canSend, saidBy } from './filled.js';
import type { Filled } from './filled.js';
import { useShownForm } from './shown-form.js';

/** The questions that get one answer. */
export type Entries = readonly [Entry, ...Entry[]];

/** Returns the first question. It keeps the description of a choice only if all questions have the same one. */
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

export type BulkDraft = ReturnType<typeof useBulkDraft>;

/** Holds one answer for many questions while it is filled in, and until it is confirmed. */
export function useBulkDraft(
  entries: Entries,
  isBusy: boolean,
  send: (said: Said, filled: Filled) => void,
) {
  const [value, setValue] = useState<JsonValue>(() => leftBulk()?.filled.value ?? '');
  const [form, setForm] = useState<Entered | undefined>(() => leftBulk()?.filled.form);
  const [asking, setAsking] = useState<Said>();
  const record = askedOf(entries);
  const shown = useShownForm(record);
  const isReady = canSend(record, { value, form }) && shown.isShown;
  return {
    /** The props of the fields of the answer. */
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
    /** The answer that has to be confirmed. */
    asking,
    /** Sends the answer, or asks for a confirmation first. */
    submit: () => {
      if (isBusy || asking || !isReady || !shown.isChecked()) return;
      const said = saidBy(record, { value, form });
      if (!said) return;
      if (entries.some((entry) => asksOnceMore(entry.record, said.value))) setAsking(said);
      else send(said, { value, form });
    },
    confirm: () => {
      setAsking(undefined);
      if (asking) send(asking, { value, form });
    },
    cancel: () => {
      setAsking(undefined);
    },
  } as const;
}
