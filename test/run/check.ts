import { existsSync } from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/*
 * Does what `tsc --noEmit` and `eslint .` do, with one program of types for both: most of their time goes into
 * finding the same types. The inbox has a program of its own, for it runs in browsers.
 * Usage: tsx test/run/check.ts [<folder>]
 */
const folder = path.resolve(process.argv[2] ?? '.');

/** The program that the folder's `tsconfig.json` describes. */
function programOf(config: string): ts.Program {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault: ts.Diagnostic) => {
      throw new Error(ts.formatDiagnostic(fault, format));
    },
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(config, { noEmit: true }, host);
  if (!parsed) throw new Error(`There is no ${config}.`);
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    configFileParsingDiagnostics: ts.getConfigFileParsingDiagnostics(parsed),
  });
}

/** Prints what ESLint finds with these programs; returns whether it passes. */
async function lint(programs: readonly ts.Program[]): Promise<boolean> {
  const parserOptions = { projectService: false, programs };
  const eslint = new ESLint({
    cwd: folder,
    overrideConfig: { files: ['**/*.ts', '**/*.tsx'], languageOptions: { parserOptions } },
  });
  const results = await eslint.lintFiles(['.']);
  const formatter = await eslint.loadFormatter();
  process.stdout.write(await formatter.format(results));
  return results.length > 0 && results.every(({ errorCount }) => errorCount === 0);
}

const format: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => folder,
  getNewLine: () => '\n',
};

const configs = ['tsconfig.json', 'web/tsconfig.json'].map((name) => path.join(folder, name));
const programs = configs.filter((config) => existsSync(config)).map(programOf);
const faults = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
process.stdout.write(ts.formatDiagnostics(faults, format));
const passes = await lint(programs);
process.exitCode = passes && faults.length === 0 ? 0 : 1;
