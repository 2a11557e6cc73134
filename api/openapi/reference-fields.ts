/** A JSON Schema as the document writes it, as far as the reference shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Prose with `code` in backticks; a blank line separates paragraphs. */
export function prose(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}

function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function code(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`;
}

/** The link to a schema of the page that a `$ref` names. */
function link(ref: string): string {
  const name = escapeHtml(ref.replace('#/components/schemas/', ''));
  return `<a href="#schema-${name}">${name}</a>`;
}

/** A larger bound only says that a number is safe, which no reader needs. */
const MOST = Number.MAX_SAFE_INTEGER;

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const bounded = most !== undefined && most < MOST;
  if (least !== undefined && bounded) return [`${least} to ${most}${unit}`];
  if (bounded) return [`at most ${most}${unit}`];
  return least === undefined || least === -MOST ? [] : [`at least ${least}${unit}`];
}

/** What a value has to be, in words and links. */
export function typeOf(schema: Schema): string {
  const { $ref, type, format, items, additionalProperties } = schema;
  if ($ref !== undefined) return link($ref);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    return `map of ${typeOf(additionalProperties)}`;
  }
  if (type === undefined) return 'any JSON';
  return escapeHtml(format ?? String(type));
}

function boundsOf(schema: Schema): string[] {
  const inner = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  const from = inner.length === 1 && inner[0] !== undefined ? inner[0] : schema;
  const fallback = from.default ?? schema.default;
  return [
    ...range(from.minimum, from.maximum, ''),
    ...range(from.minLength, from.maxLength, ' characters'),
    ...range(from.minItems, from.maxItems, ' entries'),
    ...(fallback === undefined ? [] : [`${JSON.stringify(fallback)} by default`]),
  ];
}

/** One row of a table of fields or parameters. */
export function fieldRow(name: string, schema: Schema, required: boolean): string {
  const bounds = escapeHtml(boundsOf(schema).join('; '));
  const said = schema.description === undefined ? '' : inline(schema.description);
  const cells = [
    `<code>${escapeHtml(name)}</code>`,
    typeOf(schema),
    required ? 'required' : '',
    [said, bounds].filter((part) => part !== '').join('<br>'),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** The object that a field holds if it has no section of its own, and how its fields are named. */
function objectIn(name: string, schema: Schema): readonly [string, Schema] | undefined {
  if (schema.properties) return [`${name}.`, schema];
  if (schema.items) return objectIn(`${name}[]`, schema.items);
  const held = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  return held.length === 1 && held[0] ? objectIn(name, held[0]) : undefined;
}

/** The rows of an object's fields, those of objects within it after each. */
export function fieldRows(schema: Schema, prefix = ''): string[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = objectIn(path, field);
    return [
      fieldRow(path, field, required.includes(name)),
      ...(inner ? fieldRows(inner[1], inner[0]) : []),
    ];
  });
}

/** A table of rows made by `fieldRow`; nothing if there are none. */
export function fieldTable(rows: readonly string[]): string {
  if (rows.length === 0) return '';
  return `<table><thead><tr><th>name</th><th>type</th><th></th><th>meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
