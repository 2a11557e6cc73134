import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { blocks, setting } from './eslint.config.js';

/*
 * All rules, those that need types too, by ESLint and typescript-eslint, with the options that oxlint has. It takes
 * minutes. `.ci/nightly` runs it, for the rule that oxlint lacks and for what it may miss (docs/adr/0099, 0101).
 */
export default defineConfig(
  ...setting,
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeCheckedOnly],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A port's implementation may have nothing to await; its signature is still a promise.
      '@typescript-eslint/require-await': 'off',
    },
  },
  ...blocks,
);
