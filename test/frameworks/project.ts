import { cp, mkdir, readFile, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT, projectWith, run, type Project } from '../package/packed.js';
import { snippetWith, snippetsOf } from '../support/snippets.js';
import { PYTHON_FRAMEWORKS, type PythonFramework } from './python-project.js';

const HERE = path.join(ROOT, 'test/frameworks');
const CACHE = path.join(ROOT, 'node_modules/.cache/holdpoint-frameworks');

/** The frameworks under test, and marks of the code in docs/frameworks.md: modules of the agent of each. */
export const FRAMEWORKS = {
  ai: {
    page: "import { gate } from 'holdpoint-client/ai'",
    start: "await go('invoice-17'",
    helper: 'payer(run',
    shown: "import { approvedCall } from 'holdpoint-client/ai'",
  },
  langchain: {
    page: "import { gate } from 'holdpoint-client/langchain'",
    helper: 'export function payer(middleware',
    shown: "import { approvedCall } from 'holdpoint-client/langchain'",
  },
  claude: {
    page: "import { gate } from 'holdpoint-client/claude'",
    shown: "import { approvedCall } from 'holdpoint-client/claude'",
  },
  mastra: {
    page: "import { gate } from 'holdpoint-client/mastra'",
    shown: "import { approvedCall } from 'holdpoint-client/mastra'",
  },
  'openai-agents': {
    page: "import { gate } from 'holdpoint-client/openai-agents'",
    shown: "import { approvedCall } from 'holdpoint-client/openai-agents'",
  },
} as const;
export type Framework = keyof typeof FRAMEWORKS | PythonFramework;

/** Those of both languages. */
export const ALL_FRAMEWORKS = Object.keys({
  ...FRAMEWORKS,
  ...PYTHON_FRAMEWORKS,
}) as readonly Framework[];

/** Frameworks that keep the conversation themselves. Of a parked turn, Holdpoint has only the calls. */
export const KEEPS_CONVERSATION: readonly Framework[] = [
  'langchain',
  'claude',
  'mastra',
  'langchain-python',
];

/** Installs the pinned frameworks, once for each lockfile; returns their `node_modules`. */
async function installed(): Promise<string> {
  const files = ['package.json', 'package-lock.json'];
  const texts = await Promise.all(files.map((file) => readFile(path.join(HERE, file), 'utf8')));
  const hash = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
  const folder = path.join(CACHE, hash);
  if (!existsSync(folder)) {
    const fresh = path.join(CACHE, `${hash}-${process.pid}`);
    await mkdir(fresh, { recursive: true });
    for (const file of files) await cp(path.join(HERE, file), path.join(fresh, file));
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['ci', ...quiet], { cwd: fresh });
    await rename(fresh, folder);
  }
  return path.join(folder, 'node_modules');
}

/** A project of a user: the packed client, the frameworks, and agents, of which the pages show the main part. */
export class FrameworksProject {
  private readonly project: Project;
  private readonly sources: readonly string[];

  private constructor(project: Project, sources: readonly string[]) {
    this.project = project;
    this.sources = sources;
  }

  static async make(): Promise<FrameworksProject> {
    const [packages, sources] = [await installed(), await sourcesOf()];
    const project = await projectWith('holdpoint-client');
    for (const name of await readdir(packages)) {
      const link = path.join(project.folder, 'node_modules', name);
      if (!existsSync(link)) await symlink(path.join(packages, name), link);
    }
    await symlink(path.join(ROOT, 'node_modules/@types'), path.join(project.folder, 'types'));
    for (const [name, code] of Object.entries(sources)) {
      const file = path.join(project.folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, code);
      const compilerOptions = { ...OPTIONS, module: ts.ModuleKind.ESNext };
      const { outputText } = ts.transpileModule(code, { compilerOptions });
      await writeFile(file.replace(/\.ts$/, '.js'), outputText);
    }
    const files = Object.keys(sources).map((name) => path.join(project.folder, name));
    return new FrameworksProject(project, files);
  }

  /** The program of `agents/process.ts`. */
  get program(): string {
    return path.join(this.project.folder, 'process.js');
  }

  /** What the compiler finds in the agents. */
  faults(): readonly string[] {
    const typeRoots = [path.join(this.project.folder, 'types')];
    const program = ts.createProgram(this.sources, { ...OPTIONS, typeRoots });
    return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      const where = file === undefined ? '' : path.relative(this.project.folder, file.fileName);
      return `${where}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  }

  remove(): Promise<void> {
    return this.project.remove();
  }
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

/** The sources of all agents, by their path in the project. */
async function sourcesOf(): Promise<Readonly<Record<string, string>>> {
  const folder = path.join(HERE, 'agents');
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts'));
  const texts = files.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]);
  const shown = snippetsOf('docs/frameworks.md', 'ts');
  const readme = snippetWith(snippetsOf('README.md', 'ts'), "from 'holdpoint-client/ai'");
  const pages = Object.entries(FRAMEWORKS).flatMap(([framework, modules]) =>
    Object.entries(modules).map(([module, mark]) => [
      `${framework}/${module}.ts`,
      snippetWith(shown, mark),
    ]),
  );
  const all = [...(await Promise.all(texts)), ...pages, ['ai/readme.ts', readme]];
  return Object.fromEntries(all) as Record<string, string>;
}
