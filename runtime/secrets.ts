import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ServerConfig } from '../contracts/server/config.js';
import { fieldPath } from '../contracts/constants/field-path.js';
import type { Refusal } from '../contracts/kernel/problem.js';
import { pathOf, visitsOf, type Visit } from '../domain/kernel/json.js';

interface Detection {
  /** The detector's name for its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
  /** Its start, in UTF-16 units. */
  readonly start: number;
}

/** This rule honours comments by which a text could declare its own secrets harmless. */
const SWITCHED_OFF = '@secretlint/secretlint-rule-filter-comments';
const SCANNERS = rules.filter(({ meta }) => meta.id !== SWITCHED_OFF);
/** Ids of access keys count. The same option finds account numbers, which are no secret. */
const OPTIONS = { enableIDScanRule: true };
const HARMLESS = 'AWSAccountID';

/**
 * Credentials that only later versions of the rules know; those need a newer Node. The first group is the prefix, which
 * decides the kind.
 */
const PATTERNS: readonly {
  readonly pattern: RegExp;
  readonly kinds: Readonly<Record<string, string>>;
}[] = [
  {
    pattern: /(?<!\p{L})(sk_live|sk_test|rk_live|rk_test)_[a-zA-Z0-9]{24,99}(?![a-zA-Z0-9])/gu,
    kinds: {
      sk_live: 'STRIPE_SECRET_KEY_LIVE',
      sk_test: 'STRIPE_SECRET_KEY_TEST',
      rk_live: 'STRIPE_RESTRICTED_KEY_LIVE',
      rk_test: 'STRIPE_RESTRICTED_KEY_TEST',
    },
  },
  {
    pattern: /(?<!\p{L})(cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9])/gu,
    kinds: {
      cfk: 'CLOUDFLARE_GLOBAL_API_KEY',
      cfut: 'CLOUDFLARE_USER_API_TOKEN',
      cfat: 'CLOUDFLARE_ACCOUNT_API_TOKEN',
    },
  },
  {
    pattern: /(?<!\p{L})(tskey)-[a-z]{2,20}-\w{8,40}-\w{16,60}(?!\w)/gu,
    kinds: { tskey: 'TAILSCALE_KEY' },
  },
  {
    // The token of an installed app: three parts, as in a JSON Web Token.
    pattern: /(?<!\p{L})(ghs)_[0-9]{1,20}_[\w-]{10,1000}\.[\w-]{10,1000}\.[\w-]{10}/gu,
    kinds: { ghs: 'GITHUB_TOKEN' },
  },
];

function* ownDetections(text: string): Generator<Detection> {
  for (const { pattern, kinds } of PATTERNS) {
    for (const { 1: prefix = '', index } of text.matchAll(pattern)) {
      const kind = kinds[prefix];
      if (kind !== undefined) yield { kind, start: index };
    }
  }
}

/** Passes on only the kind and position that a rule reports: its message would quote the secret. */
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
 * Finds everything with the form of a credential, in the order of the text; a bare password has no such form.
 *
 * Most rules are secretlint's. Its core keeps a performance mark of every rule run, and so would slow a service down.
 */
export async function detectSecrets(text: string): Promise<readonly Detection[]> {
  const found: Detection[] = [];
  const context = contextOf((detection) => found.push(detection));
  const source = { content: text, filePath: '', ext: '', contentType: 'text', hasBOM: false };
  for (const rule of SCANNERS) {
    await rule.create(context, OPTIONS).file?.(source as SecretLintSourceCode);
  }
  found.push(...ownDetections(text));
  return found.filter(({ kind }) => kind !== HARMLESS).sort((a, b) => a.start - b.start);
}

type Path = readonly PropertyKey[];

interface FoundSecret {
  /** e.g. `context.db.password` or `choices[0].label`. */
  readonly field: string;
  /** The detector's name for its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
}

interface Part {
  readonly visit: Visit;
  readonly text: string;
}

/** The characters searched at a time; other requests get their turn in between. */
const PAGE_CHARACTERS = 65_536;

/** Returns `name=value`, because some credentials are known only by their name. List entries have none. */
function textOf({ value, name, parent }: Visit): string {
  const label = parent === undefined || typeof name === 'number' ? '' : `${name}=`;
  return `${label}${typeof value === 'object' && value !== null ? '' : String(value)}\n`;
}

function* pagesOf(value: unknown): Generator<readonly Part[]> {
  let page: Part[] = [];
  let length = 0;
  for (const visit of visitsOf(value)) {
    const text = textOf(visit);
    if (length + text.length > PAGE_CHARACTERS && page.length > 0) {
      yield page;
      page = [];
      length = 0;
    }
    page.push({ visit, text });
    length += text.length;
  }
  yield page;
}

function pathAt(page: readonly Part[], start: number): Path {
  let end = 0;
  const part = page.find(({ text }) => {
    end += text.length;
    return start < end;
  });
  return part === undefined ? [] : pathOf(part.visit);
}

/** Ends the path before a name that is itself a secret. */
async function pathWithoutSecret(path: Path): Promise<Path> {
  const found = await detectSecrets(path.map(String).join('\n'));
  return found.length === 0 ? path : pathWithoutSecret(path.slice(0, -1));
}

/**
 * Searches every name and value of a JSON value for the form of a credential. The result contains no part of
 * the secret.
 *
 * @returns the first finding, or undefined without one
 */
export async function findSecret(value: unknown): Promise<FoundSecret | undefined> {
  let pages = 0;
  for (const page of pagesOf(value)) {
    if (pages++ > 0) await othersFirst();
    const [first] = await detectSecrets(page.map(({ text }) => text).join(''));
    if (first !== undefined) {
      const path = await pathWithoutSecret(pathAt(page, first.start));
      return { field: fieldPath(path), kind: first.kind };
    }
  }
  return undefined;
}

/**
 * Refuses a question that seems to contain a credential (R25-101, R26-87), before anything is stored; undefined for
 * any other question. `suspension.refuse_secrets: false` switches it off.
 */
export async function secretRefusal(
  question: unknown,
  { refuse_secrets }: ServerConfig['suspension'],
): Promise<Refusal | undefined> {
  const found = refuse_secrets ? await findSecret(question) : undefined;
  if (found === undefined) return undefined;
  return {
    code: 'secret_refused',
    detail: `${found.field} holds what looks like a credential (${found.kind}).`,
    field: found.field,
    accepted: 'text without credentials; send a reference instead',
  };
}
