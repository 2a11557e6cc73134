import { Suspense, lazy } from 'react';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionChoice, SuspensionRecord } from '../../../contracts/suspension.js';
import type { Entered } from '../form/field.js';
import { formSchemaOf } from '../state/form-schema.js';
import { Choices, choicesOf } from './Choices.js';
import css from './AnswerFields.module.css';

const FormAnswer = lazy(async () => ({ default: (await import('./FormAnswer.js')).FormAnswer }));

type FormProps = Parameters<typeof FormAnswer>[0];

interface FieldsProps extends Pick<FormProps, 'fault' | 'onReady'> {
  readonly asked: Pick<SuspensionRecord, 'response_type' | 'response_schema' | 'context'> & {
    readonly choices?: readonly SuspensionChoice[] | undefined;
  };
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue) => void;
  /** What is entered into the form, which is the answer, or comes with a decision. */
  readonly form: Entered | undefined;
  readonly onForm: (entered: Entered | undefined) => void;
}

/** What is chosen, typed or filled in: by the kind of answer that a question asks for. */
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

function LazyForm(props: FormProps) {
  return (
    <Suspense fallback={<p role="status">Loading the form…</p>}>
      <FormAnswer {...props} />
    </Suspense>
  );
}
