import { layers } from './layers.js';
import { syncValidator } from './sync-validator.js';
import { syntaxRules } from './syntax.js';

/** The rules of this project alone, for oxlint and for ESLint. */
export default {
  meta: { name: 'holdpoint' },
  rules: { layers, 'sync-validator': syncValidator, ...syntaxRules },
};
