import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { downloadProgram, type DownloadRequest } from '../../temporal-config/tools.js';
import { answerOf } from '../../temporal-config/commands.js';
import { CLI_SCRIPT, fakeProgram, withTempFolder } from './fakes.js';

type Fetch = NonNullable<DownloadRequest['fetch']>;

function request(fetch: Fetch, firstByteMs = 15_000): DownloadRequest {
  const wanted = { artifact: 'cli', version: '1.5.1', program: 'temporal' } as const;
  return { ...wanted, env: process.env, log: () => undefined, fetch, firstByteMs };
}

/** Answers as temporal.download does, with an archive of one file at `member`. */
async function server(folder: string, member: string, asked: string[]): Promise<Fetch> {
  const archived = join(folder, 'archived');
  await fakeProgram(join(archived, member, '..'), 'temporal', CLI_SCRIPT);
  const archive = join(folder, 'served.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', archived, member]);
  const bytes = await readFile(archive);
  return (url) => {
    asked.push(typeof url === 'string' ? url : 'not a string');
    const place = { archiveUrl: 'https://example.test/a.tar.gz', fileToExtract: member };
    return Promise.resolve(asked.length === 1 ? Response.json(place) : new Response(bytes));
  };
}

/** Never answers, and ends as `fetch` does when its signal is aborted. */
const silent: Fetch = async (_url, init) => {
  const signal = init?.signal ?? AbortSignal.abort();
  await once(signal, 'abort');
  throw signal.reason;
};

describe('the download of a Temporal program', () => {
  it('leaves an executable program of this platform, also from a folder of the archive', async () => {
    for (const member of ['temporal', 'release/temporal']) {
      await withTempFolder(async (folder) => {
        const into = join(folder, 'into');
        await mkdir(into);
        const asked: string[] = [];
        await downloadProgram(request(await server(folder, member, asked)), into);
        assert.match(
          asked[0] ?? '',
          /^https:\/\/temporal\.download\/cli\/v1\.5\.1\?arch=\w+&platform=\w+&format=tar\.gz$/,
        );
        assert.equal(asked[1], 'https://example.test/a.tar.gz');
        assert.match((await answerOf(join(into, 'temporal'), [])) ?? '', /^temporal version/);
      });
    }
  });

  it("takes a server's programs from the release on GitHub, without asking for the place", async () => {
    await withTempFolder(async (folder) => {
      const into = join(folder, 'into');
      await mkdir(into);
      const served = await server(folder, 'temporal', ['asked']);
      const urls: unknown[] = [];
      const fetch: Fetch = (url, init) => {
        urls.push(url);
        return served(url, init);
      };
      const wanted = { ...request(fetch), artifact: 'server', version: '1.29.1' } as const;
      await downloadProgram(wanted, into);
      assert.deepEqual(await readdir(into), ['temporal']);
      assert.equal(urls.length, 1);
      assert.match(
        String(urls[0]),
        /^https:\/\/github\.com\/temporalio\/temporal\/releases\/download\/v1\.29\.1\/temporal_1\.29\.1_[a-z]+_[a-z\d]+\.tar\.gz$/,
      );
    });
  });

  it('gives up when nothing answers in time', async () => {
    await withTempFolder(async (folder) => {
      await assert.rejects(downloadProgram(request(silent, 20), folder), {
        message: 'no answer for 0.02 s',
      });
    });
  });

  it('gives up when the archive sends no byte in time, and reports what is none', async () => {
    const place = { archiveUrl: 'https://example.test/a', fileToExtract: 'temporal' };
    for (const [reply, wrong] of [
      [new Response(new ReadableStream()), /abort/i],
      [new Response('no archive'), /^Error: tar ended with/],
    ] as const) {
      const replies = [Response.json(place), reply];
      const fetch: Fetch = () => Promise.resolve(replies.shift() ?? assert.fail('one too many'));
      await withTempFolder((folder) =>
        assert.rejects(downloadProgram(request(fetch, 500), folder), wrong),
      );
      assert.equal(replies.length, 0);
    }
  });

  it('reports a host that refuses, or an answer that names no archive', async () => {
    for (const [reply, says] of [
      [new Response('', { status: 403 }), 'answered with status 403'],
      [Response.json({ archiveUrl: 7 }), 'did not say where the archive is'],
    ] as const) {
      await withTempFolder(async (folder) => {
        const odd = request(() => Promise.resolve(reply));
        const message = `https://temporal.download ${says}`;
        await assert.rejects(downloadProgram(odd, folder), { message });
      });
    }
  });
});
