import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * Says who may import whom. The first zone that contains the file applies; a file in no zone is free.
 * `values` lists paths whose values may be imported, `types` further paths whose types may be, and `packages`
 * the allowed packages and built-ins (`'any'` for all). `*` stands for one folder name.
 */
const ZONES = [
  {
    zone: 'contracts/constants',
    values: ['contracts/constants'],
    types: ['contracts'],
    packages: [],
  },
  { zone: 'contracts', values: ['contracts'], types: [], packages: ['zod'] },
  {
    zone: 'domain',
    values: ['domain', 'contracts/constants'],
    types: ['contracts'],
    packages: ['@cfworker/json-schema', '@noble/hashes', '@scure/base', 'canonicalize'],
  },
  {
    zone: 'workflows/*/messages',
    values: [],
    types: ['contracts', 'domain', 'workflows', 'activities'],
    packages: ['@temporalio/workflow'],
  },
  {
    zone: 'workflows',
    values: ['workflows', 'domain', 'contracts/constants'],
    types: ['contracts', 'activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  {
    zone: 'activities',
    values: ['activities', 'runtime/secrets', 'domain', 'contracts'],
    types: [],
    packages: 'any',
  },
  { zone: 'runtime/secrets', values: ['domain', 'contracts'], types: [], packages: 'any' },
  { zone: 'runtime', values: ['runtime', 'contracts'], types: [], packages: 'any' },
  {
    zone: 'store',
    values: ['store', 'runtime', 'domain', 'contracts'],
    types: [],
    packages: 'any',
  },
  {
    zone: 'api/main',
    values: [
      'api',
      'runtime',
      'domain',
      'contracts',
      'mcp',
      'store',
      'workflows/*/messages',
      'workflows/engine/search-attributes',
      // Who writes the rows of a question that the API starts.
      'workflows/engine/row-duty',
      'temporal-config',
    ],
    types: [],
    packages: 'any',
  },
  {
    zone: 'api/temporal-clients',
    values: ['api/parts/calls/temporal', 'api/tracing', 'runtime', 'temporal-config'],
    types: [],
    packages: 'any',
  },
  {
    zone: 'api/parts',
    // Below both dialects and HTTP, and below what the service can do.
    values: [
      'api/parts',
      'api/errors',
      'domain',
      'contracts',
      'store',
      'workflows/*/messages',
      'workflows/engine/search-attributes',
      'temporal-config/pollers',
      'temporal-config/missing-attributes',
      // Who writes the rows of a question that the API starts.
      'workflows/engine/row-duty',
    ],
    types: [],
    packages: 'any',
  },
  {
    zone: 'api/usecases',
    // Below both dialects and HTTP.
    values: [
      'api/usecases',
      'api/parts',
      'api/errors',
      'domain',
      'contracts',
      'runtime/secrets',
      'store',
      'workflows/*/messages',
      'workflows/engine/search-attributes',
      'runtime/secrets',
      // Who writes the rows of a question that the API starts.
      'workflows/engine/row-duty',
      'temporal-config/pollers',
    ],
    // How people sign in, which a few of them look behind.
    types: ['api/sign-in'],
    packages: 'any',
  },
  {
    zone: 'api',
    values: [
      'api',
      'runtime',
      'domain',
      'contracts',
      'mcp',
      'store',
      'workflows/*/messages',
      // A workflow that the API starts gets the search attributes that it would set itself.
      'workflows/engine/search-attributes',
      // Who writes the rows of a question that the API starts.
      'workflows/engine/row-duty',
      // Both ends of a message name its trace in the same header.
      'workflows/engine/trace-header',
    ],
    types: [],
    packages: 'any',
  },
  {
    // A program of people: it calls the API, through the client, as any other. What it knows of the domain is what asks once
    // more, which questions take the same answers, where the API sees only a part of them at once, how the context of an
    // edited proposal is shown, and what the fields of a form take by its schema. A data folder says whether a service holds it.
    zone: 'cli',
    values: [
      'cli',
      'mcp',
      'client',
      'contracts/constants',
      'domain/kernel/json',
      'domain/schema',
      'domain/suspension/asking/context-beside',
      'domain/suspension/telling/proposal-edits',
      'domain/suspension/form/form-schema',
      'domain/suspension/form/once-more',
      'domain/suspension/asking/proposal-to-show',
      'domain/suspension/form/shape',
      'runtime/folder-lock',
    ],
    types: ['contracts'],
    packages: 'any',
  },
  {
    // The door for models, whichever way it reaches the service.
    zone: 'mcp',
    values: ['mcp', 'contracts'],
    types: [],
    packages: ['@modelcontextprotocol/server', 'zod'],
  },
  // Makes the package; no part of it.
  { zone: 'client/build', values: ['client/build'], types: [], packages: 'any' },
  {
    zone: 'client',
    values: ['client', 'contracts/constants'],
    types: ['contracts'],
    // The client runs in browsers, so it uses little else.
    packages: ['eventsource-parser'],
  },
  {
    zone: 'web/src',
    // What the page knows of the domain is how a question and a notice read, how a form is made and judged, and what asks
    // once more. It decides no rule.
    values: [
      'web/src',
      'contracts/constants',
      'domain/approval/asking/summary',
      'domain/directory/quiet-hours',
      'domain/kernel/json',
      'domain/schema',
      'domain/suspension/asking/context-beside',
      'domain/suspension/form/form-schema',
      'domain/suspension/form/once-more',
      'domain/suspension/telling/notice',
      'domain/suspension/telling/proposal-edits',
    ],
    types: ['contracts'],
    packages: [
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'diff',
      'react',
      'react-aria-components',
      'react-dom',
      'mdast-util-from-markdown',
      'wouter',
    ],
  },
  { zone: 'web/worker', values: ['web/worker'], types: ['contracts'], packages: [] },
  {
    zone: 'examples/demo',
    values: ['examples', 'runtime/usage', 'service', 'temporal-config', 'workflows/human/index'],
    types: ['contracts'],
    packages: 'any',
  },
  {
    zone: 'examples',
    // What the package exports; the client comes by the name of its package.
    values: ['examples', 'workflows/human/index'],
    types: ['contracts'],
    packages: 'any',
  },
];

/** Folders that only these may import from, whatever their zone. */
const CLOSED = [{ folder: 'api/openintent', openTo: ['api/openintent', 'api/app'] }];

/** Whether the path lies at or under the pattern. */
function isWithin(file, pattern) {
  const wanted = pattern.split('/');
  const names = file.replace(/\.[jt]sx?$/, '').split('/');
  return wanted.every((name, i) => (name === '*' ? names[i] !== undefined : name === names[i]));
}

/** The path of a relative import from the project's root, or undefined for a package. */
function localTarget(filename, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const target = path.resolve(path.dirname(filename), specifier);
  return path.relative(ROOT, target).split(path.sep).join('/');
}

function isClosed(target, file) {
  return CLOSED.some(
    ({ folder, openTo }) =>
      isWithin(target, folder) && !openTo.some((pattern) => isWithin(file, pattern)),
  );
}

function isAllowed(zone, filename, specifier, isType) {
  const target = localTarget(filename, specifier);
  if (target !== undefined) {
    if (isClosed(target, path.relative(ROOT, filename).split(path.sep).join('/'))) return false;
    const open = isType ? [...zone.values, ...zone.types] : zone.values;
    return open.some((pattern) => isWithin(target, pattern));
  }
  if (zone.packages === 'any') return true;
  return zone.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

export const layers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      forbidden: '{{zone}} may not import {{kind}} of "{{specifier}}".',
    },
  },
  create(context) {
    const file = path.relative(ROOT, context.filename).split(path.sep).join('/');
    const zone = ZONES.find((entry) => isWithin(file, entry.zone));
    if (zone === undefined) return {};

    const check = (node, source, isType) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      if (isAllowed(zone, context.filename, source.value, isType)) return;
      const data = { zone: zone.zone, kind: isType ? 'types' : 'values', specifier: source.value };
      context.report({ node, messageId: 'forbidden', data });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source, true),
    };
  },
};
