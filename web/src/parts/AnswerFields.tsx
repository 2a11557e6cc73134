import { Suspense, lazy } from 'react';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionChoice, SuspensionRecord } from '../../../contracts/suspension.js';
import { needsData } from '../state/answer-of.js';
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
  /** What comes with a decision whose question has a schema. */
  readonly data: JsonValue | undefined;
  readonly onData: (data: JsonValue) => void;
}

/** What is chosen, typed or filled in: by the kind of answer that a question asks for. */
export function AnswerFields({ asked, value, onChange, data, onData, ...form }: FieldsProps) {
  if (asked.response_type === 'form') {
    return (
      <LazyForm schema={formSchemaOf(asked)} value={value || {}} onChange={onChange} {...form} />
    );
  }
  const choices = choicesOf(asked);
  const text = typeof value === 'string' ? value : '';
  return (
    <>
      {choices.length > 0 ? (
        <Choices choices={choices} value={text} onChange={onChange} />
      ) : (
        <textarea
          className={css.text}
          aria-label="Your answer"
          rows={4}
          value={text}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
      {needsData(asked) && (
        <LazyForm
          schema={asked.response_schema ?? {}}
          value={data ?? {}}
          onChange={onData}
          {...form}
        />
      )}
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
