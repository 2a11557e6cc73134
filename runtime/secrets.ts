import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { ServerConfig } from '../contracts/config.js';
import { fieldPath } from '../contracts/parse-fields.js';
import type { Refusal } from '../contracts/problem.js';
import { pathOf, visitsOf } from '../domain/kernel/json.js';
import type { Visit } from '../domain/kernel/json.js';

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

type Path = readonly PropertyKey[];

/** Where in a request something has the form of a credential. */
export interface FoundSecret {
  /** e.g. `context.db.password` or `choices[0].label`. */
  readonly field: string;
  /** The detector's name of its kind, e.g. `GITHUB_TOKEN`. */
  readonly kind: string;
}

/** Some lines of text that stand for a part of the value. */
interface Part {
  readonly visit: Visit;
  readonly text: string;
}

/** Characters searched in one go; in between, other requests have their turn. */
const PAGE_CHARACTERS = 65_536;

/** `name=value`, for some credentials are known by their name; an entry of a list is bare. */
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

/** The path of the part that holds the place `start` of all texts in a row. */
function pathAt(page: readonly Part[], start: number): Path {
  let end = 0;
  const part = page.find(({ text }) => {
    end += text.length;
    return start < end;
  });
  return part === undefined ? [] : pathOf(part.visit);
}

/** A name may itself be the secret: the path then ends before it. */
async function pathWithoutSecret(path: Path): Promise<Path> {
  const found = await detectSecrets(path.map(String).join('\n'));
  return found.length === 0 ? path : pathWithoutSecret(path.slice(0, -1));
}

/**
 * Searches every name and value of a JSON value for what has the form of a credential. What it returns
 * holds nothing of the secret.
 *
 * @returns the first place, or undefined where there is none
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
 * Why a question cannot be kept that holds what looks like a credential; undefined where it can (R25-101,
 * R26-87). Every way to ask goes past it before anything is kept. `suspension.refuse_secrets: false`
 * switches it off.
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
