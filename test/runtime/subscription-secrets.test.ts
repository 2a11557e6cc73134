import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { withApiSecrets, withSecrets } from '../../runtime/config-secrets.js';
import { loadSubscriptionSecrets, newSubscriptionSecret } from '../../runtime/own-secrets.js';
import { keptSecret } from '../../service/data-folder.js';
import { withFolder } from '../support/temp-folder.js';

const [ONE, TWO] = [newSubscriptionSecret(), newSubscriptionSecret()];
const VARIABLE = 'HOLDPOINT_SUBSCRIPTION_SECRETS';

describe('the secrets of subscriptions in the environment', () => {
  it('are one or several, and may be missing', () => {
    assert.deepEqual(loadSubscriptionSecrets({ [VARIABLE]: `${ONE}, ${TWO}` }), [ONE, TWO]);
    for (const env of [{}, { [VARIABLE]: '' }, { [VARIABLE]: ' ' }]) {
      assert.equal(loadSubscriptionSecrets(env), undefined);
    }
  });

  it('are refused in another form, without their text', () => {
    for (const text of ['hunter2', `${ONE},hunter2`, 'whsec_short']) {
      assert.throws(
        () => loadSubscriptionSecrets({ [VARIABLE]: text }),
        (error: Error) =>
          /must hold "whsec_"/.test(error.message) && !/hunter2/.test(error.message),
      );
    }
  });

  it('count in API and worker where the configuration names none', () => {
    const env = { [VARIABLE]: ONE };
    const none = serverConfigSchema.parse({});
    const named = serverConfigSchema.parse({ subscriptions: { secrets: [TWO] } });
    for (const secretsIn of [withApiSecrets, withSecrets]) {
      assert.deepEqual(secretsIn(none, env).subscriptions.secrets, [ONE]);
      assert.deepEqual(secretsIn(named, env).subscriptions.secrets, [TWO]);
      assert.equal(secretsIn(none, {}).subscriptions.secrets, undefined);
    }
  });
});

describe('the secret of subscriptions that a data folder keeps', () => {
  let folder: string;
  withFolder((made) => (folder = made));

  it('is made once, for its owner alone', async () => {
    const file = path.join(folder, 'subscription-secret');
    const made = await keptSecret(folder, 'HOLDPOINT_SUBSCRIPTION_SECRETS');
    assert.deepEqual(loadSubscriptionSecrets({ [VARIABLE]: made }), [made]);
    assert.equal(await keptSecret(folder, 'HOLDPOINT_SUBSCRIPTION_SECRETS'), made);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('is not replaced where somebody has broken it', async () => {
    const file = path.join(folder, 'subscription-secret');
    await writeFile(file, 'broken');
    await assert.rejects(
      keptSecret(folder, 'HOLDPOINT_SUBSCRIPTION_SECRETS'),
      /must hold "whsec_"/,
    );
  });
});
