import { escapeHtml, fieldRow, fieldRows, fieldTable, prose, typeOf } from './reference-fields.js';
import type { Schema } from './reference-fields.js';

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
}

interface Reply extends Described {
  readonly headers?: Readonly<Record<string, Described>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Reply>>;
}

/** An OpenAPI document, as far as the reference shows it. */
export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Reply>>;
  };
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function listed({ paths }: ApiDocument): readonly Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function byTag(operations: readonly Listed[]): ReadonlyMap<string, readonly Listed[]> {
  const groups = new Map<string, Listed[]>();
  for (const each of operations) {
    const tag = each.operation.tags?.[0] ?? 'Other';
    groups.set(tag, [...(groups.get(tag) ?? []), each]);
  }
  return groups;
}

function example({ example: one, examples }: Media): string {
  const value = one ?? Object.values(examples ?? {})[0]?.value;
  if (value === undefined) return '';
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return `<details><summary>example</summary><pre>${text}</pre></details>`;
}

function media(content: Reply['content']): string {
  return Object.entries(content ?? {})
    .map(([type, body]) => {
      const fields = fieldTable(fieldRows(body.schema));
      const shape = fields === '' ? typeOf(body.schema) : '';
      return `<p><code>${escapeHtml(type)}</code> ${shape}</p>${fields}${example(body)}`;
    })
    .join('');
}

function replyRow(status: string, reply: Reply, { components }: ApiDocument): string {
  const found =
    reply.$ref === undefined
      ? reply
      : components.responses[reply.$ref.replace('#/components/responses/', '')];
  const headers = Object.keys(found?.headers ?? {})
    .filter((name) => name !== 'X-Request-Id')
    .map((name) => `<code>${escapeHtml(name)}</code>`);
  const sent = headers.length > 0 ? `<p>headers: ${headers.join(', ')}</p>` : '';
  const body = Number(status) < 400 ? media(found?.content) : '';
  return `<tr><td><code>${escapeHtml(status)}</code></td><td>${prose(found?.description ?? '')}${sent}${body}</td></tr>`;
}

function parameters({ parameters: all = [] }: Operation): string {
  const rows = all.map(({ in: at, name, required, description, schema }) =>
    fieldRow(`${name} (${at})`, description ? { ...schema, description } : schema, !!required),
  );
  return rows.length > 0 ? `<h4>Parameters</h4>${fieldTable(rows)}` : '';
}

function operationSection({ method, path, operation }: Listed, document: ApiDocument): string {
  const { operationId, summary, description, requestBody, responses } = operation;
  const replies = Object.entries(responses).map(([status, reply]) =>
    replyRow(status, reply, document),
  );
  return `<section id="${escapeHtml(operationId)}">
<h3><code>${method} ${escapeHtml(path)}</code></h3>
<p><strong>${escapeHtml(summary)}</strong></p>${prose(description)}
${parameters(operation)}
${requestBody ? `<h4>Body</h4>${media(requestBody.content)}` : ''}
<h4>Replies</h4><table><tbody>${replies.join('\n')}</tbody></table>
</section>`;
}

function schemaSection(name: string, schema: Schema): string {
  const table = fieldTable(fieldRows(schema));
  const shape = table === '' ? `<p>${typeOf(schema)}</p>` : table;
  const said = schema.description === undefined ? '' : prose(schema.description);
  return `<section id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${said}${shape}</section>`;
}

function contents(groups: ReadonlyMap<string, readonly Listed[]>): string {
  const entries = [...groups].map(([tag, group]) => {
    const links = group.map(
      ({ method, path, operation: { operationId, summary } }) =>
        `<li><a href="#${escapeHtml(operationId)}"><code>${method} ${escapeHtml(path)}</code></a> ${escapeHtml(summary)}</li>`,
    );
    return `<h2>${escapeHtml(tag)}</h2><ul>${links.join('\n')}</ul>`;
  });
  return `<nav>${entries.join('\n')}</nav>`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #ccc; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid #ddd; padding: .3rem .5rem; text-align: left; vertical-align: top; }
td p { margin: 0 0 .3rem; }
code, pre { font-size: .9em; background: #f5f5f5; }
pre { padding: .5rem; overflow-x: auto; }
`;

/**
 * Renders an OpenAPI document as one HTML page that needs nothing else: no script, no other file. Each
 * operation is a section under its `operationId`, each named schema one under `schema-<name>`.
 */
export function renderReference(document: ApiDocument): string {
  const { title, version, description } = document.info;
  const groups = byTag(listed(document));
  const heading = `${escapeHtml(title)} API ${escapeHtml(version)}`;
  const operations = [...groups].map(([tag, group]) => {
    const sections = group.map((each) => operationSection(each, document));
    return `<h2>${escapeHtml(tag)}</h2>\n${sections.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaSection(name, schema),
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title><style>${STYLE}</style></head>
<body>
<h1>${heading}</h1>
${prose(description)}
${contents(groups)}
${operations.join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}
</body>
</html>
`;
}
