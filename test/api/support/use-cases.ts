import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { scriptOf } from '../../support/scripts.js';
import type { UseCase } from '../../../api/usecases/usecase.js';

const FOLDER = path.dirname(scriptOf('api/usecases/usecase.ts'));

/** All use cases that the files of `api/usecases/` export. */
export async function allUseCases(): Promise<readonly UseCase[]> {
  const files = await readdir(FOLDER, { recursive: true });
  const modules = await Promise.all(
    files
      .filter((file) => /\.[jt]s$/.test(file))
      .map((file) => import(pathToFileURL(path.join(FOLDER, file)).href) as Promise<object>),
  );
  return modules.flatMap((one) => Object.values(one).filter(isUseCase));
}

function isUseCase(value: unknown): value is UseCase {
  return typeof value === 'object' && value !== null && 'run' in value && 'refusals' in value;
}
