import { toErrorSchema } from '@rjsf/utils';
import type { RJSFSchema, RJSFValidationError, ValidatorType } from '@rjsf/utils';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { faultsBySchema, judgeBySchema } from '../../../domain/schema/judge.js';

/*
 * Marks the fields of a form by the judge that the API has. It needs no `eval`, which the Content-Security-Policy forbids,
 * and it decides nothing: the API judges each answer again.
 */

/** The path of a field as rjsf writes it: `.items[0].name`. */
function propertyOf(path: readonly string[]): string {
  return path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
}

function errorsOf(schema: RJSFSchema, data: unknown): RJSFValidationError[] {
  return faultsBySchema(schema as JsonObject, (data ?? {}) as JsonValue).map(
    ({ path, detail, keyword }) => ({
      name: keyword,
      property: propertyOf(path),
      message: detail,
      stack: `${propertyOf(path)} ${detail}`,
    }),
  );
}

/** The schema within another one, with the definitions that it may refer to. */
function withDefinitions(schema: RJSFSchema, root: RJSFSchema): JsonObject {
  return { ...(root.$defs && { $defs: root.$defs }), ...schema } as JsonObject;
}

/** The validator of every form. */
export const formValidator: ValidatorType = {
  validateFormData(data, schema, _custom, transform, uiSchema) {
    const errors = errorsOf(schema, data);
    const shown = transform ? transform(errors, uiSchema) : errors;
    return { errors: shown, errorSchema: toErrorSchema(shown) };
  },
  isValid: (schema, data, root) =>
    judgeBySchema(withDefinitions(schema, root), (data ?? null) as JsonValue, 'value').ok,
  rawValidation: (schema, data) => ({ errors: errorsOf(schema, data) as never[] }),
};
