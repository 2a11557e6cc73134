import tseslint from 'typescript-eslint';

/** Rules of typescript-eslint that oxlint has too, but not quite: it would accept some of what these refuse (docs/adr/0101). */
const NAMES = [
  'ban-ts-comment',
  'no-array-constructor',
  'no-duplicate-enum-values',
  'no-extraneous-class',
  'no-misused-new',
  'no-namespace',
  'no-unused-vars',
  'prefer-as-const',
  'prefer-namespace-keyword',
  'unified-signatures',
];

export default {
  meta: { name: 'ts-eslint' },
  rules: Object.fromEntries(NAMES.map((name) => [name, tseslint.plugin.rules[name]])),
};
