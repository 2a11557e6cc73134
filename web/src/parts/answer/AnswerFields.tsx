import { Suspense, lazy, type ComponentProps } from 'react';
import type { JsonValue } from '../../../../contracts/kernel/primitives.js';
import type { Asked } from '../../api/types.js';
import type { Entered } from '../../form/field.js';
import { formSchemaOf } from '../../state/answering/form-state.js';
import { Choices, choicesOf } from './Choices.js';
import css from './AnswerFields.module.css';

const FormAnswer = lazy(async () => ({ default: (await import('./FormAnswer.js')).FormAnswer }));

export function LazyForm(props: ComponentProps<typeof FormAnswer>) {
  return (
    <Suspense fallback={<p role="status">Loading the form…</p>}>
      <FormAnswer {...props} />
    </Suspense>
  );
}

interface FieldsProps extends Pick<ComponentProps<typeof LazyForm>, 'fault' | 'onReady'> {
  readonly asked: Asked;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue) => void;
  /** The entries of the form, which is the answer or belongs to a decision. */
  readonly form: Entered | undefined;
  readonly onForm: (entered: Entered | undefined) => void;
}

export function AnswerFields({ asked, value, onChange, form, onForm, ...rest }: FieldsProps) {
  const schema = formSchemaOf(asked);
  const fields = schema && <LazyForm schema={schema} entered={form} onChange={onForm} {...rest} />;
  if (asked.response_type === 'form') return fields;
  const choices = choicesOf(asked);
  const text = typeof value === 'string' ? value : '';
  return (
    <>
      {choices.length > 0 ? (
        <Choices choices={choices} value={text} onChange={onChange} />
      ) : (
        <textarea
          className={css.text}
          dir="auto"
          aria-label="Your answer"
          rows={4}
          value={text}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
      {fields}
    </>
  );
}
