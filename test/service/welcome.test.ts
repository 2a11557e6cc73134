import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFromStore, queriesOf } from '../../api/parts/reads/from-store.js';
import { patientClock } from '../support/patience.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { Proofs } from '../../api/sign-in/start.js';
import { Sessions } from '../../api/sign-in/sessions.js';
import { sessionConfigSchema } from '../../contracts/people/session.js';
import { developmentKeys } from '../../runtime/api-keys.js';
import { developmentPeople, signInLinks } from '../../service/sign-in-links.js';
import { openInTemporal, welcome } from '../../service/welcome.js';
import { endOf } from '../support/processes.js';
import { scriptOf } from '../support/scripts.js';
import { useStore } from '../support/store.js';
import { withFolder } from '../support/temp-folder.js';

const WATCHING = path.resolve(import.meta.dirname, '../../docs/watch-and-repair.md');
const API = 'http://127.0.0.1:4000';
const keys = developmentKeys();
const shown = {
  apiUrl: API,
  temporalAddress: '127.0.0.1:24717',
  temporalUiUrl: 'http://127.0.0.1:8233/namespaces/default',
  metricsUrls: { api: 'http://127.0.0.1:9464/metrics', worker: 'http://127.0.0.1:9465/metrics' },
  folder: { root: '/data', keysFile: '/data/development-keys.json' },
  keys,
  keysAreMade: true,
};
const about = {
  links: [`${API}/inbox#link=one`, `${API}/inbox#link=two`],
  open: 3,
  command: 'holdpoint',
  isTerminal: true,
};

/** The rows of the table, each in single blanks. */
function linesOf(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' '));
}

describe('what npm start says', () => {
  it('is where everything is, who may answer, and a question to ask', () => {
    const lines = linesOf(welcome(shown, about));
    const open = 'query=WorkflowType%3D%22suspension%22%20AND%20HoldpointState%3D%22pending%22';
    for (const line of [
      `Inbox, operator ${API}/inbox#link=one`,
      `Inbox, approver ${API}/inbox#link=two`,
      'Open questions 3',
      `API ${API}`,
      `API docs ${API}/docs`,
      'Temporal 127.0.0.1:24717 (gRPC)',
      'Temporal UI http://127.0.0.1:8233/namespaces/default',
      `Questions there http://127.0.0.1:8233/namespaces/default/workflows?${open}`,
      'Metrics http://127.0.0.1:9464/metrics',
      'http://127.0.0.1:9465/metrics',
      'Data /data',
      'holdpoint ask "Deploy on a Friday?" --confirm && echo deploying',
    ]) {
      assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
    }
    for (const { key } of keys) assert.ok(lines.some((line) => line.endsWith(` ${key}`)));
    assert.ok(lines.some((line) => line.startsWith('approver dev-approver-')));
  });

  it('links to the list of questions that the documentation shows', () => {
    const page = readFileSync(WATCHING, 'utf8');
    const address = openInTemporal('<Temporal UI>/namespaces/<namespace>');
    assert.ok(page.includes(`\n${address}\n`), address);
    const filter = new URLSearchParams(address.slice(address.indexOf('?'))).get('query');
    assert.ok(page.includes(`\n${filter}\n`), `${filter}`);
  });

  it('has no key and no link where it is piped, but how to get them', () => {
    const text = welcome(shown, { ...about, isTerminal: false }).join('\n');
    for (const { key } of keys) assert.ok(!text.includes(key));
    assert.doesNotMatch(text, /#link=/);
    assert.match(text, /to sign in: holdpoint link\n/);
    assert.match(text, /keys for development are in \/data\/development-keys\.json/);
  });

  it('has no key and no link where keys are configured', () => {
    const text = welcome({ ...shown, keysAreMade: false }, { ...about, links: [] }).join('\n');
    assert.match(text, /Inbox +http:\/\/127\.0\.0\.1:4000\/inbox, with the key of an operator/);
    assert.match(text, /HOLDPOINT_API_KEY='<a key with the role agent>' holdpoint ask/);
    assert.doesNotMatch(text, /#link=|dev-/);
  });

  it('leaves out what there is not', () => {
    const none = { api: undefined, worker: undefined };
    const text = welcome({ ...shown, temporalUiUrl: undefined, metricsUrls: none }, about).join();
    assert.doesNotMatch(text, /Temporal UI|Questions there|Metrics/);
  });
});

describe('the links of npm start', () => {
  const store = useStore();

  it('sign in two people, each once', async () => {
    const links = await signInLinks(store.db, API, developmentPeople(keys));
    assert.equal(links.length, 2);
    const log = { warn: () => undefined };
    const fromStore = createFromStore(queriesOf(store.db), patientClock(), log);
    const ring = new KeyRing(keys);
    const config = sessionConfigSchema.parse({});
    const sessions = new Sessions({ ring, store: fromStore, config });
    const proofs = new Proofs({ ring, sessions, store: fromStore });
    const people: string[] = [];
    for (const address of links) {
      const link = address.replace(`${API}/inbox#link=`, '');
      people.push((await proofs.open({ link })).caller.principal);
      await assert.rejects(proofs.open({ link }), /sign_in_link_used/);
    }
    assert.deepEqual(people, ['dev-operator', 'dev-approver']);
  });

  describe('that holdpoint link makes', () => {
    let folder: string;
    withFolder((made) => (folder = made));

    async function runs(told: object): Promise<void> {
      const service = { url: API, keys_are_made: true, database_url: store.url, ...told };
      await writeFile(path.join(folder, 'service.json'), JSON.stringify(service));
      await writeFile(path.join(folder, 'development-keys.json'), JSON.stringify(keys));
    }

    const link = (...args: readonly string[]) =>
      endOf([scriptOf('service/cli.ts'), 'link', ...args], {
        env: { PATH: process.env['PATH'], HOLDPOINT_DATA_DIR: folder },
      });

    it('is for the person who is named, of the service that runs', async () => {
      await runs({});
      const { out, err } = await link('approver');
      assert.match(out, /^http:\/\/127\.0\.0\.1:4000\/inbox#link=[\w-]{43}\n$/, err);
      const { key } = keys.find(({ principal }) => principal === 'dev-approver') ?? { key: '' };
      const digest = createHash('sha256').update(key).digest('hex');
      const token = out.trim().replace(`${API}/inbox#link=`, '');
      const id = createHash('sha256').update(token).digest('hex');
      const found = await store.db
        .selectFrom('sign_in_links')
        .where('id', '=', id)
        .select('key_digest')
        .execute();
      assert.deepEqual(found, [{ key_digest: digest }]);
    });

    it('is refused for anybody else', async () => {
      const { out, err } = await link('aprover');
      assert.deepEqual(
        [out, err],
        ['', 'holdpoint link has nobody called "aprover". Did you mean "approver"?\n'],
      );
    });

    it('is refused where no service runs', async () => {
      const { out, err } = await link();
      assert.equal(out, '');
      assert.match(err, /^No service runs with the data folder \S+: start one with `\S.* start`/);
    });

    it('is refused where keys are configured', async () => {
      await runs({ keys_are_made: false });
      const { out, err } = await link();
      assert.equal(out, '');
      assert.match(
        err,
        /has configured keys: sign in at \S+\/inbox with the key of an operator\.\n$/,
      );
    });

    it('is refused where the service was killed', async () => {
      await runs({ database_url: 'postgres://postgres@127.0.0.1:1/postgres' });
      const { out, err } = await link();
      assert.equal(out, '');
      assert.match(err, /^The store of the service at \S+ does not answer: [^\n]*\n$/);
    });
  });
});
