import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Compiles all sources once, for every process of the tests: to a tree beside the packages in which each `x.ts` is an
 * `x.js`, so that Node runs them with no loader. Types become spaces, so lines and columns stay what they are.
 *
 * A tree is named after the content of all sources and never changes: what was edited, or came with another branch,
 * leads to another tree, and a run keeps the sources that it began with. Trees share the files that do not differ.
 */

const CACHE = 'node_modules/.cache/holdpoint-tests/compiled';
const SOURCE = /(?<!\.d)\.(ts|js|mjs|cjs)$/;
/** A tree is used as long as the run that found it, and only a new one removes others. */
const KEPT_MS = 3 * 60 * 60 * 1_000;
/** It starts the programs that stand beside it: from the tree it starts compiled ones. */
const STAYS_IN_TREE = ['service/node-process.ts'];
/** The file of a tree that names the sources which are no TypeScript. These fail where they are imported. */
export const FAULTS = 'faults.txt';
const require = createRequire(import.meta.url);

/**
 * The folder with all sources of a project as JavaScript. What is missing is compiled first.
 *
 * @param {string} root - the absolute path of the project
 * @returns {string} an absolute path; nobody may change what is in it
 */
export function compiledTree(root) {
  const cache = path.join(root, CACHE);
  const config = readFileSync(path.join(root, 'tsconfig.json'), 'utf8');
  const salt = [root, config, readFileSync(fileURLToPath(import.meta.url), 'utf8'), compiler()];
  const files = sourcesOf(root).map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { file, text, hash: hashOf([...salt, file, text]) };
  });
  const tree = path.join(cache, 'trees', hashOf(files.map(({ hash }) => hash)));
  if (existsSync(tree)) {
    utimesSync(tree, new Date(), new Date());
    return tree;
  }
  const unfinished = `${tree}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  const kept = path.join(cache, 'files');
  for (const folder of new Set(files.map(({ file }) => path.dirname(file)))) {
    mkdirSync(path.join(unfinished, folder), { recursive: true });
  }
  mkdirSync(kept, { recursive: true });
  const faults = [];
  for (const { file, text, hash } of files) {
    const target = path.join(unfinished, file.replace(/\.ts$/, '.js'));
    if (isLinked(path.join(kept, hash), target)) continue;
    const { code, fault } = compiled(path.join(root, file), text, STAYS_IN_TREE.includes(file));
    writeFileSync(target, code);
    // What cannot be linked is compiled again for the next tree.
    if (fault === undefined) isLinked(target, path.join(kept, hash));
    else faults.push(`${fault}\n`);
  }
  writeFileSync(path.join(unfinished, FAULTS), faults.join(''));
  writeFileSync(path.join(unfinished, 'package.json'), '{"type":"module"}');
  addPaths(unfinished, JSON.parse(config));
  publish(unfinished, tree);
  removeOld(path.join(cache, 'trees'), () => true);
  removeOld(kept, ({ nlink }) => nlink === 1);
  return tree;
}

function compiler() {
  return require('@swc/wasm-typescript/package.json').version;
}

function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}

/** The sources below a folder, relative to the root, in an order that is always the same. */
function sourcesOf(root, folder = '.') {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isFile()) return SOURCE.test(entry.name) ? [file] : [];
      const isOurs = !/^(\.|node_modules$|dist$)/.test(entry.name);
      return entry.isDirectory() && isOurs ? sourcesOf(root, file) : [];
    });
}

/** Whether a file could be made the same as another one. */
function isLinked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** What Node runs in the place of a source: it takes itself for the source, in its errors and where it reads files. */
function compiled(source, text, staysInTree) {
  const { href } = pathToFileURL(source);
  const { code, fault } = source.endsWith('.ts') ? strip(source, text) : { code: text };
  const place = { url: href, dirname: path.dirname(source), filename: source };
  const assigned = `Object.assign(import.meta, ${JSON.stringify(place)});`;
  const isMoved = text.includes('import.meta') && !staysInTree;
  return { code: `${isMoved ? assigned : ''}${code}\n//# sourceURL=${href}\n`, fault };
}

function strip(source, text) {
  const { transformSync } = require('@swc/wasm-typescript');
  try {
    return { code: transformSync(text.replace(/^#!/, '//'), { mode: 'strip-only' }).code };
  } catch ({ message, startLine = 1 }) {
    const fault = `${source}:${startLine}: ${message}`;
    return { code: `throw new SyntaxError(${JSON.stringify(fault)});`, fault };
  }
}

/** Makes the names of `paths` in the compiler's options packages of the tree. */
function addPaths(tree, { compilerOptions = {} }) {
  for (const [name, [source]] of Object.entries(compilerOptions.paths ?? {})) {
    const folder = path.join(tree, 'node_modules', name);
    const target = path.relative(folder, path.join(tree, source.replace(/\.ts$/, '.js')));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}');
    writeFileSync(path.join(folder, 'index.js'), `export * from '${target}';\n`);
  }
}

function publish(unfinished, tree) {
  try {
    renameSync(unfinished, tree);
  } catch (error) {
    // Another process was quicker with the same.
    if (!existsSync(tree)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeOld(folder, isMeant) {
  for (const name of readdirSync(folder)) {
    const entry = path.join(folder, name);
    const found = statSync(entry, { throwIfNoEntry: false });
    if (found === undefined || !isMeant(found) || Date.now() - found.mtimeMs < KEPT_MS) continue;
    rmSync(entry, { recursive: true, force: true });
  }
}
