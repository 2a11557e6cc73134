import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The lines of Node that are maintained for long; tools for development need not run on others. */
const MAINTAINED = '^20.19.0 || ^22.13.0 || >=24.0.0';

interface LockedPackage {
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
}

const own = readJson('package.json') as {
  readonly engines: { readonly node: string };
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const { packages } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(packages)
  .filter(([name]) => name.startsWith('node_modules/'))
  .map(([name, entry]) => ({ name: name.replace(/^.*node_modules\//, ''), ...entry }));

function isForDevelopment({ dev, devOptional }: LockedPackage): boolean {
  return dev === true || devOptional === true;
}

/** The packages whose `engines` leave out a version of Node in the range. */
function notFor(range: string, among: readonly (LockedPackage & { name: string })[]): string[] {
  return among
    .filter(({ engines }) => !semver.subset(range, engines?.node ?? '*'))
    .map(({ name, version, engines }) => `${name}@${version} needs Node ${engines?.node ?? ''}`);
}

describe('the range of Node versions', () => {
  it('is accepted by every package that the service needs', () => {
    // npm leaves out an optional package that does not fit.
    const production = installed.filter(
      (entry) => !isForDevelopment(entry) && entry.optional !== true,
    );
    assert.ok(production.length > 100, `${production.length} packages`);
    assert.deepEqual(notFor(own.engines.node, production), []);
  });

  it('is accepted by every tool, as far as it is maintained', () => {
    const development = installed.filter(isForDevelopment);
    assert.ok(development.length > 100, `${development.length} packages`);
    assert.ok(semver.subset(MAINTAINED, own.engines.node));
    assert.deepEqual(notFor(MAINTAINED, development), []);
  });

  it('contains the recommended version', () => {
    const recommended = readFileSync(path.join(ROOT, '.nvmrc'), 'utf8').trim();
    assert.ok(semver.subset(`${recommended}.x`, own.engines.node));
  });
});

describe('the installed packages', () => {
  it('hold none that is deprecated', () => {
    const deprecated = installed.filter(({ deprecated: reason }) => reason !== undefined);
    assert.deepEqual(deprecated, []);
  });

  it('run no install script that nobody has decided on', () => {
    const scripted = installed.filter(({ hasInstallScript }) => hasInstallScript === true);
    assert.ok(scripted.length > 0);
    const undecided = scripted.filter(({ name }) => own.allowScripts[name] === undefined);
    assert.deepEqual(undecided, []);
  });
});
