import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { unknownVariables } from '../../runtime/unknown-variables.js';
import { installPinned } from '../support/virtual-env.js';
import { imageOf } from './dockerfile.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const TARGETS = ['production', 'evaluate'] as const;

export const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
const NODE = readFileSync(path.join(ROOT, '.nvmrc'), 'utf8').trim();
export const { version: VERSION } = JSON.parse(
  readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
) as {
  readonly version: string;
};
/** Names of variables with secrets, of ours and of others. */
export const SECRET = /KEY|SECRET|PASSWORD|PWD|TOKEN|DATABASE_URL/;

/** A text with a mistake in it. */
export function mistaken(
  original: string,
  [right, wrong]: readonly [right: string, wrong: string],
): string {
  const changed = original.replaceAll(right, wrong);
  assert.notEqual(changed, original, `${right} is not there`);
  return changed;
}

/** What a linter writes about a text; empty if it finds nothing. */
async function lint(program: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(await installPinned(REQUIREMENTS, program), args, { cwd: ROOT });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}

/** What shellcheck finds in a script. */
export function scriptFaults(script: string): Promise<string> {
  return lint('shellcheck', ['--format=gcc', '-'], script);
}

/** A line for each `HOLDPOINT_…` in a text that no program of ours reads. */
export function unknownIn(text: string): readonly string[] {
  const names = [...text.matchAll(/\bHOLDPOINT_\w+/g)].map(([name]) => name);
  const env = Object.fromEntries(names.map((name) => [name, 'a value']));
  return unknownVariables(env, serverConfigSchema.parse({}));
}

/** What is wrong with a Dockerfile: by hadolint, and by what our programs need. */
export async function imageFaults(dockerfile: string): Promise<readonly string[]> {
  const found = await lint('hadolint', ['--no-color', '-'], dockerfile);
  const ours = TARGETS.flatMap((target) =>
    targetFaults(dockerfile, target).map((fault) => `${target}: ${fault}`),
  );
  return [...found.split('\n'), ...unknownIn(dockerfile), ...ours].filter((line) => line !== '');
}

function targetFaults(dockerfile: string, target: string): readonly string[] {
  const image = imageOf(dockerfile, target);
  const demands: readonly (readonly [isMet: boolean, fault: string])[] = [
    // Temporal's core needs glibc, which Alpine does not have.
    [new RegExp(`^node:${NODE}-[a-z]+-slim$`).test(image.base), `based on ${image.base}`],
    [/^[1-9]\d*:[1-9]\d*$/.test(image.user), `runs as "${image.user}"`],
    [image.health.length > 0, 'has no health check'],
    // A slim base has no certificates for Temporal's core, which then cannot reach a server behind TLS.
    [image.env['SSL_CERT_FILE'] !== undefined, 'trusts no authority'],
    [image.entrypoint.join(' ') === 'holdpoint', 'does not start holdpoint'],
    [image.labels['org.opencontainers.image.version'] === VERSION, `is not called ${VERSION}`],
    ...Object.keys(image.env).map((name) => [!SECRET.test(name), `brings ${name} along`] as const),
  ];
  return demands.filter(([isMet]) => !isMet).map(([, fault]) => fault);
}
