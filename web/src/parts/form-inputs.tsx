import BaseInput from '@rjsf/core/lib/components/templates/BaseInputTemplate.js';
import FieldTemplate from '@rjsf/core/lib/components/templates/FieldTemplate/FieldTemplate.js';
import WrapIfAdditional from '@rjsf/core/lib/components/templates/WrapIfAdditionalTemplate.js';
import Select from '@rjsf/core/lib/components/widgets/SelectWidget.js';
import Textarea from '@rjsf/core/lib/components/widgets/TextareaWidget.js';
import type {
  BaseInputTemplateProps,
  FieldTemplateProps,
  WidgetProps,
  WrapIfAdditionalTemplateProps,
} from '@rjsf/utils';
import { useEffect } from 'react';
import type { FocusEvent } from 'react';
import { meant, visible } from '../state/visible.js';

/*
 * The fields of a form into which one types. A value may come from the schema of an agent: characters that steer stand there
 * by their codes, and go out as what they are.
 */

function shown(value: unknown): unknown {
  return typeof value === 'string' ? visible(value) : value;
}

/** A field whose value can be shown, and that says whether it is at fault. */
function withShown(props: WidgetProps): WidgetProps {
  const { onChange, rawErrors } = props;
  return {
    ...props,
    value: shown(props.value),
    onChange: (typed: unknown) => {
      onChange(typeof typed === 'string' ? meant(typed) : typed);
    },
    ...(rawErrors && rawErrors.length > 0 && { 'aria-invalid': true }),
  };
}

/** A field of one line. */
export function ShownInput(props: BaseInputTemplateProps) {
  return <BaseInput {...withShown(props)} />;
}

/** A field of several lines. */
export function ShownTextarea(props: WidgetProps) {
  return <Textarea {...withShown(props)} />;
}

/** A list to choose from. The one of rjsf passes nothing on that says that its value is at fault. */
export function MarkedSelect(props: WidgetProps) {
  const { id, rawErrors } = props;
  const isAtFault = rawErrors !== undefined && rawErrors.length > 0;
  useEffect(() => {
    const select = document.getElementById(id);
    if (isAtFault) select?.setAttribute('aria-invalid', 'true');
    else select?.removeAttribute('aria-invalid');
  }, [id, isAtFault]);
  return <Select {...props} />;
}

/** A field with its name. */
export function ShownField({ label, ...props }: FieldTemplateProps) {
  return <FieldTemplate {...props} label={visible(label)} />;
}

/** A field whose name can be changed, because the schema does not give it. */
export function RenamedField({ onKeyRenameBlur, ...props }: WrapIfAdditionalTemplateProps) {
  return (
    <WrapIfAdditional
      {...props}
      onKeyRenameBlur={(event: FocusEvent<HTMLInputElement>) => {
        const named = { value: meant(event.target.value) } as HTMLInputElement;
        onKeyRenameBlur({ ...event, target: named });
      }}
    />
  );
}
