import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../runtime/config.js';
import {
  apiVariables,
  secretVariables,
  withApiSecrets,
  withSecrets,
} from '../../runtime/config-secrets.js';
import { StartupError } from '../../runtime/program.js';
import { withFolder } from '../support/temp-folder.js';

const PEOPLE = `directory:
  people:
    ana: { name: Ana Ruiz, email: ana@example.com, slack: U1 }
    bo: { email: bo@example.com }
  groups:
    finance: [ana, bo]
`;

describe('the directory in the configuration file', () => {
  let folder = '';
  withFolder((made) => (folder = made));
  const load = (text: string, env: Record<string, string> = {}) => {
    writeFileSync(path.join(folder, 'openintent.yaml'), text);
    return loadConfig(env, folder);
  };
  const refusedWith = (text: string, expected: RegExp) => {
    assert.throws(
      () => load(text),
      (error) => {
        assert.ok(error instanceof StartupError);
        assert.match(error.message, expected);
        return true;
      },
    );
  };

  it('names people with their addresses, and groups of them', () => {
    const { directory } = load(PEOPLE);
    assert.deepEqual(directory?.groups, { finance: ['ana', 'bo'] });
    assert.deepEqual(directory.people['bo'], {
      email: 'bo@example.com',
      space: 'default',
      answers_by_link: true,
    });
  });

  it('is refused with the line of a person that a group names and nobody knows', () => {
    const text = `${PEOPLE}    night:\n      - ana\n      - eve\n`;
    refusedWith(text, /line 9: directory\.groups\.night\[1\] is not accepted.*ana, bo/);
  });

  it('is refused where a name stands for two, or a member of Slack for two people', () => {
    refusedWith(`${PEOPLE}    ana: [bo]\n`, /line 7: directory\.groups\.ana .*no person has/);
    const twice = PEOPLE.replace('bo: { email', 'bo: { slack: U1, email');
    refusedWith(twice, /line 4: directory\.people\.bo\.slack .*than that of ana/);
    const unclear = PEOPLE.replace('bo: { email', 'bo: { slack: T2/U1, email');
    refusedWith(unclear, /line 4: directory\.people\.bo\.slack .*than that of ana/);
  });

  it('knows members of Slack by team and id, and says where the team is missing', () => {
    const chat = (team: string) =>
      `{ type: slack, bot_token: $TOKEN, conversation: C1, to: ana, team: ${team} }`;
    const channels = `notifications:\n  default_channel: a\n  channels:\n    a: ${chat('T1')}\n    b: ${chat('T2')}\n`;
    refusedWith(
      PEOPLE + channels,
      /line 3: directory\.people\.ana\.slack .*T0123456789\/U0123456789/,
    );
    const { directory } = load(PEOPLE.replace('slack: U1', 'slack: T1/U1') + channels);
    assert.equal(directory?.people['ana']?.slack, 'T1/U1');
    refusedWith(PEOPLE.replace('slack: U1', 'slack: ana'), /line 3: .*the id of a member such as/);
  });

  it('demands the team of each channel where several bots would write to a member without one', () => {
    const chat = (token: string, team = '') =>
      `{ type: slack, bot_token: ${token}, to: ana${team === '' ? '' : `, team: ${team}`} }`;
    const channels = (one: string, two: string) =>
      `notifications:\n  default_channel: one\n  channels:\n    one: ${one}\n    two: ${two}\n`;
    const unnamed = channels(chat('$TOKEN', 'T1'), chat('$OTHER'));
    refusedWith(PEOPLE + unnamed, /notifications\.channels\.two\.team .*such as T0123456789/);
    const ofTeam = PEOPLE.replace('slack: U1', 'slack: T1/U1');
    assert.ok(load(ofTeam + unnamed));
    assert.ok(load(PEOPLE + channels(chat('$TOKEN'), chat('$TOKEN'))));
    assert.ok(load(PEOPLE + channels(chat('$TOKEN', 'T1'), chat('$OTHER', 'T1'))));
  });

  it('is refused where a group is empty or too large', () => {
    refusedWith(`${PEOPLE}    none: []\n`, /line 7: directory\.groups\.none/);
    const people = Array.from({ length: 51 }, (_, i) => `p${i}`);
    const many = `directory:\n  people: { ${people.map((name) => `${name}: {}`).join(', ')} }\n`;
    refusedWith(`${many}  groups:\n    all: [${people.join(', ')}]\n`, /line 4: .*at most 50/);
  });

  for (const [where, text, expected] of [
    [
      'a rung of the ladder',
      'suspension:\n  default_retry_policy:\n    escalation_ladder:\n      - { attempt: 1, channel_hint: console, notify_to: eve }\n',
      /line 10: suspension\.default_retry_policy\.escalation_ladder\[0\]\.notify_to .*ana, bo, finance/,
    ],
    [
      'a recipient that is allowed',
      'notifications:\n  allowed_recipients:\n    - ana\n    - eve\n',
      /line 10: notifications\.allowed_recipients\[1\]/,
    ],
    [
      'the recipient of a channel',
      'notifications:\n  channels:\n    console: { type: console }\n    email: { type: email, smtp: $SMTP, from: h@example.com, to: eve }\n',
      /line 10: notifications\.channels\.email\.to/,
    ],
  ] as const) {
    it(`is asked for ${where}: unknown names are refused with their line`, () => {
      refusedWith(PEOPLE + text, expected);
      load(PEOPLE + text.replace('eve', 'finance'));
    });
  }

  it('lets any name pass where there is none', () => {
    assert.deepEqual(load('notifications: {allowed_recipients: [eve]}\n').directory, undefined);
  });

  it('is needed for a channel that sends mail', () => {
    const text =
      'notifications:\n  channels:\n    console: { type: console }\n    email: { type: email, smtp: $SMTP, from: h@example.com }\n';
    refusedWith(text, /line 4: notifications\.channels\.email\.type .*with a directory/);
  });
});

describe('the settings of answers by webhook', () => {
  let folder = '';
  withFolder((made) => (folder = made), 'suite');
  const SECRET = `whsec_${Buffer.alloc(32, 'in').toString('base64')}`;
  const load = (directory: string, people: string) => {
    const answers = `answers: {secrets: [$ANSWERS], people: [${people}]}`;
    const ops = `{type: webhook, url: https://x.example, secrets: [$OUT], ${answers}}`;
    writeFileSync(
      path.join(folder, 'openintent.yaml'),
      `${directory}notifications:\n  channels:\n    console: {type: console}\n    ops: ${ops}\n`,
    );
    return loadConfig({}, folder);
  };

  it('reach the API, and no other secret of the channel does', () => {
    const config = load(PEOPLE, 'ana, finance');
    assert.deepEqual([apiVariables(config), secretVariables(config)], [['ANSWERS'], ['OUT']]);
    const { ops } = withApiSecrets(config, { ANSWERS: SECRET }).notifications.channels;
    assert.ok(ops?.type === 'webhook');
    assert.deepEqual([ops.answers?.secrets, ops.secrets], [[SECRET], ['$OUT']]);
    assert.throws(
      () => withApiSecrets(config, {}),
      /notifications\.channels\.ops\.answers\.secrets\[0\]: .* ANSWERS is not set/,
    );
  });

  it('name people of the directory, which has to be there', () => {
    assert.throws(() => load(PEOPLE, 'eve'), /line 10: .*ops\.answers\.people\[0\]/);
    assert.throws(() => load('', 'ana'), /line 4: .*ops\.answers .*with a directory/);
  });
});

describe('the settings of mail and links', () => {
  let folder = '';
  withFolder((made) => (folder = made), 'suite');
  const withMail = (fields: string, env: Record<string, string> = {}) => {
    const channels = `{console: {type: console}, email: {type: email, ${fields}}}`;
    writeFileSync(
      path.join(folder, 'openintent.yaml'),
      `${PEOPLE}notifications: {channels: ${channels}}\n`,
    );
    return withSecrets(loadConfig(env, folder), env);
  };
  const smtpOf = (config: ReturnType<typeof loadConfig>) => {
    const { email } = config.notifications.channels;
    return email?.type === 'email' ? email.smtp : undefined;
  };

  it('take the mail server from an environment variable', () => {
    const url = 'smtp://holdpoint:p%40ss@mail.example.com:587';
    const config = withMail('smtp: $MAIL, from: h@example.com', { MAIL: url });
    assert.equal(smtpOf(config), url);
    assert.deepEqual(secretVariables(loadConfig({}, folder)), ['MAIL']);
  });

  it('refuse a variable that names no mail server, without its value', () => {
    for (const value of ['https://user:secret@example.com', 'secret', 'smtp://h/?secret=1']) {
      assert.throws(
        () => withMail('smtp: $MAIL, from: h@example.com', { MAIL: value }),
        (error: Error) =>
          /smtp: .* MAIL must hold smtp:/.test(error.message) && !/secret/.test(error.message),
      );
    }
    assert.throws(() => withMail('smtp: $MAIL, from: h@example.com'), /MAIL is not set/);
  });

  it('refuse a sender that is no address', () => {
    for (const from of ['nobody', '"a@b.c\\r\\nBcc: x@y.z"', 'a@b.c <x>']) {
      assert.throws(() => withMail(`smtp: smtp://h, from: ${from}`), /email\.from/);
    }
    withMail('smtp: smtp://h, from: "Holdpoint <h@example.com>"');
  });

  it('take the public address from the environment before the file', () => {
    const load = (text: string, env = {}) => {
      writeFileSync(path.join(folder, 'openintent.yaml'), text);
      return loadConfig(env, folder).public_url;
    };
    assert.equal(load('public_url: https://hold.example.com/\n'), 'https://hold.example.com');
    const env = { HOLDPOINT_PUBLIC_URL: 'http://localhost:4000/base/' };
    assert.equal(load('public_url: https://hold.example.com\n', env), 'http://localhost:4000/base');
    for (const url of ['ftp://x', 'https://u:p@x', 'https://x/?a=1', 'https://x/#a', 'x']) {
      assert.throws(() => load(`\npublic_url: "${url}"\n`), /line 2: public_url is not accepted/);
      assert.throws(() => load('', { HOLDPOINT_PUBLIC_URL: url }), /HOLDPOINT_PUBLIC_URL must be/);
    }
  });
});
