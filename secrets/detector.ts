import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';

/** A stretch of a text that has the form of a credential. */
export interface Detection {
  /** The detector's name of its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
}

/** By comments in the text itself, which would let a text declare its own secrets harmless. */
const SWITCHED_OFF = '@secretlint/secretlint-rule-filter-comments';
const SCANNERS = rules.filter(({ meta }) => meta.id !== SWITCHED_OFF);
/** An access key's id counts; the number of an account, found with it, is no secret. */
const OPTIONS = { enableIDScanRule: true };
const HARMLESS = 'AWSAccountID';

/** Passes on kind and place of what a rule reports; its own message would quote the secret. */
function contextOf(report: (detection: Detection) => void): SecretLintRuleContext {
  return {
    sharedOptions: {},
    createTranslator: () => (messageId) => ({
      message: '',
      messageId: String(messageId),
      data: {},
    }),
    report: ({ message, range }) => report({ kind: message.messageId, start: range[0] }),
    ignore: () => undefined,
  };
}

/**
 * Finds what has the form of a credential, in the order of the text: tokens of known services, private
 * keys, URLs and connection strings with a password. A password by itself has no form and is not found.
 *
 * The rules are secretlint's. Its core is left out: it keeps a performance mark of every rule it ever
 * ran, so that a service would slow down and grow with each call.
 */
export async function detectSecrets(text: string): Promise<readonly Detection[]> {
  const found: Detection[] = [];
  const context = contextOf((detection) => found.push(detection));
  const source = { content: text, filePath: '', ext: '', contentType: 'text', hasBOM: false };
  for (const rule of SCANNERS) {
    await rule.create(context, OPTIONS).file?.(source as SecretLintSourceCode);
  }
  return found.filter(({ kind }) => kind !== HARMLESS).sort((a, b) => a.start - b.start);
}
