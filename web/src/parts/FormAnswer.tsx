import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../contracts/primitives.js';
import type { Entered } from '../form/field.js';
import { faultsOf, formOf } from '../form/judged.js';
import type { Fault } from '../form/read.js';
import type { FieldFault } from '../state/field-fault.js';
import { FieldInput } from './FieldInput.js';
import css from './FormAnswer.module.css';

interface FormAnswerProps {
  readonly schema: JsonObject;
  readonly entered: Entered | undefined;
  readonly onChange: (entered: Entered | undefined) => void;
  /** Gets what marks the faults and says whether there are none, while the form is shown. */
  readonly onReady: (validate: (() => boolean) | undefined) => void;
  readonly fault?: FieldFault | undefined;
}

/** A form for whatever schema a question has. It has no button of its own: the page sends it. */
export function FormAnswer({ schema, entered, onChange, onReady, fault }: FormAnswerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isMarked, setMarked] = useState(false);
  const form = formOf(schema, entered);
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  useEffect(() => {
    onReady(() => {
      const isGood = faultsOf(schema, latest.current).length === 0;
      setMarked(!isGood);
      if (!isGood) setTimeout(() => focusFault(box.current));
      return isGood;
    });
    return () => {
      onReady(undefined);
    };
  }, [onReady, schema]);
  const found = isMarked ? faultsOf(schema, form) : [];
  const faults: readonly Fault[] = fault ? [...found, fault] : found;
  return (
    <div className={css.form} ref={box}>
      <FieldInput
        field={form.field}
        name=""
        id="answer"
        path={[]}
        faults={faults}
        onChange={onChange}
      />
      <p className="only-heard" role="status">
        {told(faults)}
      </p>
    </div>
  );
}

/** Says that something does not fit; what it is, the field says that gets the focus. */
function told({ length }: readonly Fault[]): string {
  if (length === 0) return '';
  return length === 1 ? 'One part does not fit yet.' : `${length} parts do not fit yet.`;
}

/** Goes to the first field that is marked. */
function focusFault(box: HTMLElement | null): void {
  const marked = box?.querySelector<HTMLElement>('[aria-invalid=true], [data-fault]');
  marked?.focus({ preventScroll: true });
  marked?.scrollIntoView({ block: 'center' });
}
