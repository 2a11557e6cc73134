import { Suspense, lazy } from 'react';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { LinkView } from '../../../contracts/links.js';
import { formSchemaOf } from '../state/form-schema.js';

const FormAnswer = lazy(async () => ({ default: (await import('./FormAnswer.js')).FormAnswer }));

/** The field of an answer by a link that is no choice: a text, or a form. */
export function LinkForm({
  question,
  value,
  onChange,
}: {
  readonly question: LinkView['question'];
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
}) {
  if (question.response_type === 'form') {
    const { response_schema, fields = null } = question;
    const asked = { ...(response_schema && { response_schema }), context: { fields } };
    return (
      <Suspense fallback={<p role="status">Loading the form…</p>}>
        <FormAnswer
          schema={formSchemaOf(asked)}
          value={value === '' ? {} : value}
          onChange={onChange}
          onReady={ignore}
        />
      </Suspense>
    );
  }
  return (
    <textarea
      rows={4}
      aria-label="Your answer"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}

function ignore(): void {
  // The API says what does not fit.
}
