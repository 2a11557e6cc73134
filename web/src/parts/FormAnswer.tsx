// Its index also exports what its own tests need, which is not installed.
import Form from '@rjsf/core/lib/components/Form.js';
import type { ErrorSchema, IconButtonProps } from '@rjsf/utils';
import { useEffect, useRef } from 'react';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import type { FieldFault } from '../state/field-fault.js';
import { shownOptions, shownSchema } from '../state/shown-schema.js';
import {
  MarkedSelect,
  RenamedField,
  ShownField,
  ShownInput,
  ShownTextarea,
} from './form-inputs.js';
import { formValidator } from './form-validator.js';
import css from './FormAnswer.module.css';

interface FormAnswerProps {
  readonly schema: JsonObject;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue) => void;
  /** Gets what marks the faults and says whether there are none, while the form is shown. */
  readonly onReady: (validate: (() => boolean) | undefined) => void;
  readonly fault?: FieldFault | undefined;
}

/** A form for whatever schema a question has. It has no button of its own: the page sends it. */
export function FormAnswer({ schema, value, onChange, onReady, fault }: FormAnswerProps) {
  const form = useRef<Form>(null);
  useEffect(() => {
    onReady(() => form.current?.validateForm() ?? false);
    return () => {
      onReady(undefined);
    };
  }, [onReady]);
  return (
    <Form
      ref={form}
      className={css.form ?? ''}
      schema={shownSchema(schema)}
      uiSchema={shownOptions(schema)}
      formData={value}
      validator={formValidator}
      templates={TEMPLATES}
      widgets={WIDGETS}
      idPrefix="answer"
      showErrorList={false}
      focusOnFirstError
      noHtml5Validate
      {...(fault && { extraErrors: errorAt(fault) })}
      onChange={({ formData }) => {
        onChange((formData ?? {}) as JsonValue);
      }}
    >
      <></>
    </Form>
  );
}

/** A fault as rjsf keeps it: nested by the names of its path. */
function errorAt({ path, detail }: FieldFault): ErrorSchema {
  return path.reduceRight<object>((inner, name) => ({ [name]: inner }), {
    __errors: [detail],
  });
}

/** Buttons in words, in place of the pictures of a font that is not here. */
function wordButton(word: string) {
  return function WordButton({ id, onClick, disabled }: IconButtonProps) {
    return (
      <button type="button" id={id} className={css.small} disabled={disabled} onClick={onClick}>
        {word}
      </button>
    );
  };
}

const TEMPLATES = {
  BaseInputTemplate: ShownInput,
  FieldTemplate: ShownField,
  WrapIfAdditionalTemplate: RenamedField,
  ButtonTemplates: {
    AddButton: wordButton('Add'),
    RemoveButton: wordButton('Remove'),
    MoveUpButton: wordButton('Up'),
    MoveDownButton: wordButton('Down'),
    ClearButton: wordButton('Clear'),
  },
};

const WIDGETS = { SelectWidget: MarkedSelect, TextareaWidget: ShownTextarea };
