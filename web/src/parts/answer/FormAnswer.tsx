import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../../contracts/kernel/primitives.js';
import type { Entered } from '../../form/field.js';
import { faultsOf, formOf } from '../../form/judged.js';
import type { Fault } from '../../form/read.js';
import { FieldInput } from './FieldInput.js';
import css from './FormAnswer.module.css';

interface FormAnswerProps {
  readonly schema: JsonObject;
  readonly entered: Entered | undefined;
  readonly onChange: (entered: Entered | undefined) => void;
  /** Gets a function that marks the faults and returns whether there are none; undefined once the form is hidden. */
  readonly onReady: (validate: (() => boolean) | undefined) => void;
  readonly fault?: Fault | undefined;
  /** An existing value to edit. */
  readonly given?: JsonObject | undefined;
  /** The prefix of the ids of its inputs. */
  readonly id?: string;
  /** Whether its first input takes the focus once it is there. */
  readonly takesFocus?: boolean;
}

/** A form for any schema of a question. It has no button: the page sends it. */
export function FormAnswer({
  schema,
  entered,
  onChange,
  onReady,
  fault,
  given,
  id = 'answer',
  takesFocus = false,
}: FormAnswerProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isMarked, setMarked] = useState(false);
  const form = formOf(schema, entered, given);
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
  useEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [takesFocus]);
  const found = isMarked ? faultsOf(schema, form) : [];
  const faults: readonly Fault[] = fault ? [...found, fault] : found;
  return (
    <div className={css.form} ref={box}>
      <FieldInput
        field={form.field}
        name=""
        id={id}
        path={[]}
        faults={faults}
        onChange={onChange}
      />
      <p className="only-heard" role="status">
        {countOf(faults)}
      </p>
    </div>
  );
}

/** Says how many parts do not fit. The first of their fields gets the focus, and says why. */
function countOf({ length }: readonly Fault[]): string {
  if (length === 0) return '';
  return length === 1 ? 'One part does not fit yet.' : `${length} parts do not fit yet.`;
}

function focusFault(box: HTMLElement | null): void {
  const marked = box?.querySelector<HTMLElement>('[aria-invalid=true], [data-fault]');
  marked?.focus({ preventScroll: true });
  marked?.scrollIntoView({ block: 'center' });
}
