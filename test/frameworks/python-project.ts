import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../package/packed.js';
import { snippetWith, snippetsOf } from '../support/snippets.js';
import { installPinned } from '../support/virtual-env.js';

const CLIENT = path.join(ROOT, 'python');
const AGENTS = path.join(CLIENT, 'tests/frameworks');

/** The folder of each framework's agent, and marks of the code in docs/frameworks-python.md: modules of that agent. */
export const PYTHON_FRAMEWORKS = {
  'pydantic-ai': {
    folder: 'pydantic_ai',
    page: 'return await gated.park(result) or result.output',
    tools: 'from holdpoint_client.pydantic_ai import approved_call',
    start: 'await go("invoice-17"',
    waiting: 'async def pay(',
  },
  'langchain-python': {
    folder: 'langchain',
    page: 'from holdpoint_client.langchain import gate',
    tools: 'from holdpoint_client.langchain import approved_call',
    helper: 'def payer(middleware',
  },
  'openai-agents-python': {
    folder: 'openai_agents',
    page: 'from holdpoint_client.openai_agents import gate',
    tools: 'from holdpoint_client.openai_agents import approved_call',
    helper: 'def payer(tools',
  },
} as const;
export type PythonFramework = keyof typeof PYTHON_FRAMEWORKS;

export function isPython(framework: string): framework is PythonFramework {
  return Object.hasOwn(PYTHON_FRAMEWORKS, framework);
}

/** For each framework a project of a user: the installed client, and an agent, of which the page shows the main part. */
export class PythonProject {
  readonly python: string;
  private readonly folder: string;

  private constructor(python: string, folder: string) {
    this.python = python;
    this.folder = folder;
  }

  static async make(): Promise<PythonProject> {
    const python = await installPinned(path.join(CLIENT, 'requirements-dev.txt'), 'python');
    const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-frameworks-python-'));
    const quiet = ['--quiet', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
    const args = ['-m', 'pip', 'install', ...quiet, '--target', path.join(folder, 'site'), CLIENT];
    await promisify(execFile)(python, args);
    const shown = snippetsOf('docs/frameworks-python.md', 'python');
    const files = (await readdir(AGENTS)).filter((name) => name.endsWith('.py'));
    for (const [framework, marks] of Object.entries(PYTHON_FRAMEWORKS)) {
      const project = path.join(folder, framework);
      await mkdir(project);
      for (const file of files) await cp(path.join(AGENTS, file), path.join(project, file));
      const { folder: own, ...modules } = marks;
      await cp(path.join(AGENTS, own), project, { recursive: true });
      for (const [name, mark] of Object.entries(modules))
        await writeFile(path.join(project, `${name}.py`), snippetWith(shown, mark));
    }
    return new PythonProject(python, folder);
  }

  /** The program of `process.py` with a framework's agent. */
  program(framework: PythonFramework): string {
    return path.join(this.folder, framework, 'process.py');
  }

  /** What a process needs to find the installed client. */
  get variables(): NodeJS.ProcessEnv {
    return { PYTHONPATH: path.join(this.folder, 'site') };
  }

  /** Checks the types of an agent; rejects with what is wrong. */
  async check(framework: PythonFramework): Promise<void> {
    const cache = ['--cache-dir', path.join(this.folder, 'mypy')];
    const args = ['-m', 'mypy', '--strict', ...cache, path.join(this.folder, framework)];
    const env = { ...process.env, MYPYPATH: path.join(this.folder, 'site') };
    try {
      await promisify(execFile)(this.python, args, { env });
    } catch (error) {
      throw new Error((error as { stdout?: string }).stdout, { cause: error });
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
