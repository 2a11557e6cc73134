import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A source text, and the path from the project's root under which it is linted. */
export interface LintSample {
  readonly file: string;
  readonly code: string;
}

/** Creates a program of the samples alone. Each is a file that exists in memory only. */
function programOf(samples: readonly LintSample[]): ts.Program {
  const texts = new Map(samples.map((sample) => [path.join(ROOT, sample.file), sample.code]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    // Without it an import leads to no .tsx.
    jsx: ts.JsxEmit.ReactJSX,
    types: ['node', 'mocha'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options, true);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile(name, target, ...rest)
      : ts.createSourceFile(name, text, target, true);
  };
  return ts.createProgram([...texts.keys()], options, host);
}

/**
 * Creates a linter with the project's own configuration that is type-aware over texts in memory. It maps a
 * sample to the ids of the rules that it breaks, in order of place.
 */
export function sampleLinter(
  samples: readonly LintSample[],
): (sample: LintSample) => Promise<readonly string[]> {
  const parserOptions = { projectService: false, programs: [programOf(samples)] };
  const eslint = new ESLint({
    cwd: ROOT,
    ignore: false,
    overrideConfig: { languageOptions: { parserOptions } },
  });
  return async ({ file, code }) => {
    const results = await eslint.lintText(code, { filePath: path.join(ROOT, file) });
    return results
      .flatMap((result) => result.messages)
      .map((message) => message.ruleId ?? message.message);
  };
}
