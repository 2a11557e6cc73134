import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { layers } from './test/conventions/lint-rules/layers.js';
import { syncValidator } from './test/conventions/lint-rules/sync-validator.js';

const SOURCES = [
  'activities/**/*.ts',
  'api/**/*.ts',
  'bench/**/*.ts',
  'cli/**/*.ts',
  'client/**/*.ts',
  'contracts/**/*.ts',
  'domain/**/*.ts',
  'examples/**/*.ts',
  'mcp/**/*.ts',
  'runtime/**/*.ts',
  'service/**/*.ts',
  'store/**/*.ts',
  'temporal-config/**/*.ts',
  'web/**/*.{ts,tsx}',
  'workers/**/*.ts',
  'workflows/**/*.ts',
];

/** Syntax refused everywhere; a block that adds to it must repeat it, for the last block wins. */
const EVERYWHERE = [
  { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  {
    selector:
      ':matches(SpreadElement > ObjectExpression, SpreadElement > ArrayExpression, SpreadElement > TSAsExpression > ArrayExpression)',
    message: 'Write the plain literal and let it take the lines it needs.',
  },
];

/** In schemas: formats are looked at once a text is known to be short. */
const SCHEMA_SYNTAX = [
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

const DETERMINISTIC_SYNTAX = [
  {
    selector: `MemberExpression[property.name=${LOCAL_TIME}]`,
    message: 'Local time and locale differ by host: use UTC.',
  },
  { selector: "CallExpression[callee.name='Date']", message: 'Date() gives a local time text.' },
];

const DOMAIN_SYNTAX = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The domain has no clock: take the instant as an argument.',
  },
];

const WORKFLOW_SYNTAX = [
  {
    selector: 'Identifier[name=/^(proxyLocalActivities|scheduleLocalActivity)$/]',
    message: 'Local activities delay Updates and timers: use a regular activity.',
  },
];

/** All workflows of a worker share the modules of their bundle (docs/adr/0058). */
const SHARED_SYNTAX = [
  ":matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind='let']",
  ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set|WeakMap|WeakSet)$/][arguments.length=0]',
].map((selector) => ({
  selector,
  message: 'Workflows share their modules: keep state in an object of the workflow.',
}));

const DETERMINISTIC_GLOBALS = [
  'Intl',
  // Native from Node 26 on, with a clock that the workflow sandbox does not replace.
  'Temporal',
  'crypto',
  'structuredClone',
  'globalThis',
  'performance',
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
].map((name) => ({ name, message: 'Not deterministic, or not there, in workflow code.' }));

const LOCALE_COMPARE = { property: 'localeCompare', message: 'Compare with < and >.' };

const DOMAIN_PROPERTIES = [
  LOCALE_COMPARE,
  { object: 'Date', property: 'now', message: 'The domain has no clock.' },
  { object: 'Math', property: 'random', message: 'The domain has no chance.' },
];

const TEST_SYNTAX = [
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
];

const CORE_RULES = {
  complexity: ['error', 15],
  eqeqeq: 'error',
  'no-debugger': 'error',
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-catch': 'error',
  'no-restricted-syntax': ['error', ...EVERYWHERE],
};

/** A pattern whose time grows faster than its text lets a sender hold the event loop. */
const REGEXP_RULES = {
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
};

const TYPE_RULES = {
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true },
  ],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/no-unnecessary-condition': [
    'error',
    { allowConstantLoopConditions: 'only-allowed-literals' },
  ],
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
  '@typescript-eslint/restrict-template-expressions': [
    'error',
    { allowNumber: true, allowBoolean: true },
  ],
  // A port's implementation may have nothing to await; its signature is still a promise.
  '@typescript-eslint/require-await': 'off',
};

export default defineConfig(
  {
    ignores: [
      'dist/',
      'client/dist/',
      'client/.emitted-*/',
      '.cache/',
      '.holdpoint/',
      'test/replay/histories/',
      'test/conventions/fixtures/',
    ],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: { ...CORE_RULES, ...REGEXP_RULES },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      'import-x': importX,
      holdpoint: { rules: { layers, 'sync-validator': syncValidator } },
    },
    settings: {
      'import-x/extensions': ['.ts', '.tsx', '.js'],
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: ['tsconfig.json', 'web/tsconfig.json'],
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
    rules: {
      ...TYPE_RULES,
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      'holdpoint/layers': 'error',
      'holdpoint/sync-validator': 'error',
    },
  },
  {
    files: SOURCES,
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true }],
    },
  },
  {
    files: ['api/**/*.ts', 'contracts/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...SCHEMA_SYNTAX] },
  },
  {
    files: ['domain/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...DETERMINISTIC_GLOBALS],
      'no-restricted-properties': ['error', ...DOMAIN_PROPERTIES],
      'no-restricted-syntax': ['error', ...EVERYWHERE, ...DETERMINISTIC_SYNTAX, ...DOMAIN_SYNTAX],
    },
  },
  {
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...DETERMINISTIC_GLOBALS],
      'no-restricted-properties': ['error', LOCALE_COMPARE],
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        ...DETERMINISTIC_SYNTAX,
        ...WORKFLOW_SYNTAX,
        ...SHARED_SYNTAX,
      ],
    },
  },
  {
    // Built into the bundles of agents, whose workflows each have modules of their own.
    files: ['workflows/{human,flow,gate}/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...EVERYWHERE, ...DETERMINISTIC_SYNTAX, ...WORKFLOW_SYNTAX],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'no-restricted-syntax': ['error', ...EVERYWHERE, ...TEST_SYNTAX],
      // A reply's parsed body is untyped; an assertion on it is the check.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // Nothing imports them, so they are in no cycle; to find that out, the rule would walk from each through nearly all sources.
    files: ['test/**/*.{test,suite}.ts'],
    rules: { 'import-x/no-cycle': 'off' },
  },
);
