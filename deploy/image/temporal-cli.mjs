#!/usr/bin/env node
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Fetches Temporal's command line with the development server, in the version that `holdpoint start` wants.
 * Usage: temporal-cli.mjs <folder of the installation> <file to write>
 */
const [installation = '', file = ''] = process.argv.slice(2);
const module = path.resolve(installation, 'dist/temporal-config/cli.js');
const { resolveTemporalCli } = await import(pathToFileURL(module).href);
const { path: found } = await resolveTemporalCli({ log: console.log });
await copyFile(found, file);
