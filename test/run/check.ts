import path from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

/*
 * Does what `tsc --noEmit` and `eslint .` do, with one program of types for both: most of their time goes into
 * finding the same types.
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

/** Prints what ESLint finds with this program; returns whether it passes. */
async function lint(program: ts.Program): Promise<boolean> {
  const parserOptions = { projectService: false, programs: [program] };
  const eslint = new ESLint({
    cwd: folder,
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } },
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

const program = programOf(path.join(folder, 'tsconfig.json'));
const faults = ts.getPreEmitDiagnostics(program);
process.stdout.write(ts.formatDiagnostics(faults, format));
const passes = await lint(program);
process.exitCode = passes && faults.length === 0 ? 0 : 1;
