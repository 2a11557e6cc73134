import assert from 'node:assert/strict';
import { createFromStore, queriesOf } from '../../api/gateway/reads/from-store.js';
import { patientClock } from '../support/patience.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { Proofs } from '../../api/sign-in/proofs.js';
import { Sessions } from '../../api/sign-in/sessions.js';
import { sessionConfigSchema } from '../../contracts/session.js';
import { developmentKeys } from '../../runtime/api-keys.js';
import { developmentPeople, signInLinks } from '../../service/sign-in-links.js';
import { welcome } from '../../service/welcome.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';

const API = 'http://127.0.0.1:4000';
const keys = developmentKeys();
const shown = {
  apiUrl: API,
  temporalAddress: '127.0.0.1:24717',
  temporalUiUrl: 'http://127.0.0.1:8233',
  keys,
  keysAreMade: true,
};

describe('what npm start says', () => {
  const links = [`${API}/inbox#link=one`, `${API}/inbox#link=two`];

  it('is where everything is, who may answer, and a question to ask', () => {
    const text = welcome(shown, links, 'holdpoint').join('\n');
    const agent = keys.find(({ roles }) => roles.includes('agent'))?.key ?? '';
    for (const line of [
      `  operator  ${API}/inbox#link=one`,
      `  approver  ${API}/inbox#link=two`,
      `Holdpoint API ready on ${API}`,
      `Its documentation on ${API}/docs`,
      'Temporal on 127.0.0.1:24717 (gRPC)',
      'Temporal UI on http://127.0.0.1:8233',
      `  HOLDPOINT_URL=${API} HOLDPOINT_API_KEY='${agent}' holdpoint ask "Deploy on a Friday?" --confirm && echo deploying`,
    ]) {
      assert.ok(text.split('\n').includes(line), `${line} in\n${text}`);
    }
    for (const { key } of keys) assert.ok(text.includes(key));
    assert.match(text, /^ {2}approver {2}dev-approver-/m);
  });

  it('has no key and no link where keys are configured', () => {
    const text = welcome({ ...shown, keysAreMade: false }, [], 'holdpoint').join('\n');
    assert.match(text, /Inbox on http:\/\/127\.0\.0\.1:4000\/inbox: sign in with the key/);
    assert.doesNotMatch(text, /#link=|dev-/);
  });
});

describe('the links of npm start', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());

  it('sign in two people, each once', async () => {
    const stack = { apiUrl: API, databaseUrl: store.url };
    const links = await signInLinks(stack, developmentPeople(keys));
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
});
