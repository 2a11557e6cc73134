import { LineCounter, isMap, isNode, isScalar, parseDocument, visit } from 'yaml';
import type { Document, Scalar, YAMLWarning } from 'yaml';
import { isExactNumber } from '../contracts/constants/exact-json.js';

const VERSION = '1.2';

/** The value of a YAML text, and the lines of its parts. */
export interface YamlContent {
  readonly content: unknown;
  /** Returns the line (from 1) of a field, or of the closest existing field around it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
  /** The line of the first number that cannot be read exactly; undefined without one. */
  readonly inexactLine: number | undefined;
}

/**
 * Reads a YAML 1.2 text; an empty one is an empty object. Throws an Error for invalid YAML, and for a text that declares
 * another version, which would read 010 as 8 and `no` as false.
 */
export function parseYaml(text: string): YamlContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const [error] = [...document.errors, ...document.warnings.filter(isDirective)];
  if (error) throw error;
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== VERSION) {
    throw new Error(`It declares YAML ${version}: leave that out, or write %YAML ${VERSION}.`);
  }
  const content: unknown = document.toJS() ?? {};
  const inexact = inexactNumber(document);
  return {
    content,
    inexactLine: inexact && lines.linePos(inexact.range?.[0] ?? 0).line,
    lineOf: (path) => Math.max(1, lines.linePos(offsetOf(document, path)).line),
  };
}

/** The library only warns about another version. */
function isDirective({ code }: YAMLWarning): boolean {
  return code === 'BAD_DIRECTIVE';
}

const OTHER_BASE = /^0[ox]/;

function inexactNumber(document: Document): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Scalar(_key, node) {
      const { value, source = '' } = node;
      if (typeof value !== 'number' || isKept(value, source)) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

/** Whether a number is read exactly. The field itself refuses Infinity and NaN. */
function isKept(value: number, source: string): boolean {
  if (OTHER_BASE.test(source)) return Number.isSafeInteger(value);
  return !/\d/.test(source) || isExactNumber(source);
}

/** Returns the offset of a field's key, or of a list's entry. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const around = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const key = isMap(around)
      ? around.items.find(({ key: name }) => isScalar(name) && String(name.value) === last)?.key
      : document.getIn(path.slice(0, length), true);
    const start = isNode(key) ? key.range?.[0] : undefined;
    if (start !== undefined) return start;
  }
  return 0;
}
