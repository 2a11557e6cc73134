import { readFileSync } from 'node:fs';
import regexp from 'eslint-plugin-regexp';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import holdpoint from './test/conventions/lint-rules/plugin.js';
import tsEslint from './test/conventions/lint-rules/ts-eslint.js';

/*
 * The rules of .oxlintrc.json that need no types, for editors and `npx eslint <file>`. `npm run lint` asks oxlint alone;
 * `npm run lint:typed` asks ESLint for all rules (docs/adr/0101).
 */
const COMMENT = /^ *\/\/.*$/gm;
const text = readFileSync(new URL('.oxlintrc.json', import.meta.url), 'utf8');
const oxlint = JSON.parse(text.replace(COMMENT, ''));

/** Whether a rule can be judged from one file alone. */
function needsNoTypes([name]) {
  const rule = tseslint.plugin.rules[name.replace(/^@typescript-eslint\//, '')];
  return !name.startsWith('@typescript-eslint/') || rule.meta.docs.requiresTypeChecking !== true;
}

/** All rules of oxlint, by folder. */
export const blocks = [{ rules: oxlint.rules }, ...oxlint.overrides];

/** What does not depend on which rules are on. */
export const setting = defineConfig(
  { ignores: oxlint.ignorePatterns },
  { plugins: { regexp, holdpoint, 'ts-eslint': tsEslint } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict],
    // The same rules by another name.
    rules: Object.fromEntries(
      Object.keys(tsEslint.rules).map((name) => [`@typescript-eslint/${name}`, 'off']),
    ),
  },
);

export default defineConfig(
  ...setting,
  // A comment may be about a rule that needs types; oxlint knows which comments are needed.
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  ...blocks.map(({ files, rules }) => ({
    ...(files && { files }),
    rules: Object.fromEntries(Object.entries(rules).filter(needsNoTypes)),
  })),
);
