/** Syntax refused everywhere. */
const EVERYWHERE = [
  { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  {
    selector:
      ':matches(SpreadElement > ObjectExpression, SpreadElement > ArrayExpression, SpreadElement > TSAsExpression > ArrayExpression)',
    message: 'Write the plain literal and let it take the lines it needs.',
  },
];

const DEFAULT_EXPORTS = [
  'ExportDefaultDeclaration',
  "ExportSpecifier[exported.name='default']",
  "ExportSpecifier[exported.value='default']",
].map((selector) => ({ selector, message: 'Give what is exported a name.' }));

/** In schemas: formats are looked at once a text is known to be short. */
const SCHEMA = [
  {
    selector:
      "CallExpression[callee.property.name=/^(regex|refine)$/][callee.object.callee.object.name='z'][callee.object.callee.property.name='string']",
    message: 'Bound the text first: boundedText(characters).',
  },
  {
    selector:
      "CallExpression[callee.object.object.name='z'][callee.object.property.name='iso']:not(CallExpression[callee.property.name='check'] > *)",
    message: 'Bound the text first: boundedText(characters).check(z.iso…).',
  },
  {
    selector: "CallExpression[callee.object.name='z'][callee.property.name=/^(url|email|base64)$/]",
    message: 'Bound the text first: boundedText(characters).check(z.…).',
  },
];

const LOCAL_TIME =
  /^(toLocale\w*|to(Date|Time)String|getTimezoneOffset|[gs]et(Year|FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds))$/;

const DETERMINISTIC = [
  {
    selector: `MemberExpression[property.name=${LOCAL_TIME}]`,
    message: 'Local time and locale differ by host: use UTC.',
  },
  { selector: "CallExpression[callee.name='Date']", message: 'Date() gives a local time text.' },
];

const DOMAIN = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The domain has no clock: take the instant as an argument.',
  },
];

const WORKFLOW = [
  {
    selector: 'Identifier[name=/^(proxyLocalActivities|scheduleLocalActivity)$/]',
    message: 'Local activities delay Updates and timers: use a regular activity.',
  },
];

/** All workflows of a worker share the modules of their bundle (docs/adr/0058). */
const SHARED = [
  ":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind='let']",
  ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set|WeakMap|WeakSet)$/][arguments.length=0]',
].map((selector) => ({
  selector,
  message: 'Workflows share their modules: keep state in an object of the workflow.',
}));

const TEST = [
  {
    selector:
      'CallExpression[callee.object.name=/^(describe|context|it|specify|before|after)$/][callee.property.name=/^(only|skip)$/]',
    message: 'No skipped or exclusive tests.',
  },
  {
    selector: "CallExpression[callee.object.type='ThisExpression'][callee.property.name='skip']",
    message: 'No skipped tests.',
  },
  {
    selector: 'CallExpression[callee.name=/^x(describe|context|it|specify)$/]',
    message: 'No skipped tests.',
  },
  {
    selector: "CallExpression[callee.name='it'][arguments.length=1]",
    message: 'No pending tests.',
  },
  {
    selector:
      "CallExpression[callee.object.name='assert'][callee.property.name=/^(throws|rejects)$/][arguments.length=1]",
    message: 'Say which error is expected: a test passes by any other one, too.',
  },
];

/** A rule that refuses each syntax of a table; as ESLint's `no-restricted-syntax`, which oxlint lacks. */
const refusing = (table) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(
      table.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
});

/** Each group has a rule of its own, so that a folder can have several. */
export const syntaxRules = {
  syntax: refusing(EVERYWHERE),
  'no-default-export': refusing(DEFAULT_EXPORTS),
  'schema-syntax': refusing(SCHEMA),
  'deterministic-syntax': refusing(DETERMINISTIC),
  'domain-syntax': refusing(DOMAIN),
  'workflow-syntax': refusing(WORKFLOW),
  'shared-syntax': refusing(SHARED),
  'test-syntax': refusing(TEST),
};
