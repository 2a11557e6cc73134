import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { CLIENT } from '../support/issuer-login.js';
import { LoginIssuer } from '../support/login-issuer.js';
import { QUESTIONS } from './support/questions.js';
import { WebStack, assertAccessible } from './support/web-stack.js';

const PEOPLE = {
  ida: { roles: ['operator'], groups: ['finance'] },
  /** Asks as an agent does, and answers what others ask. */
  olga: { roles: ['agent', 'operator'] },
  helper: { roles: ['agent'] },
};

describe('signing in to the inbox at an issuer', () => {
  let web: WebStack;
  let issuer: LoginIssuer;
  before(async () => {
    web = await WebStack.startAt(async (site) => {
      issuer = await LoginIssuer.start(PEOPLE, `${site}/session/callback`, 'localhost');
      return {
        public_url: site,
        sign_in: {
          issuer: issuer.url,
          audience: 'https://holdpoint.example',
          browser: { client_id: CLIENT.client_id, client_secret: '$INBOX_SECRET' },
        },
      };
    }, 'unused');
  });
  after(async () => {
    await web.close();
    await issuer.close();
  });
  afterEach(() => {
    assert.deepEqual(web.takeFaults(), []);
  });

  const toIssuer = (page: Page) =>
    page.getByRole('link', { name: 'Sign in with your organisation' }).click();

  /** Goes to the issuer from a page of the inbox, and says there who one is. */
  async function saying(name: string, at = '/'): Promise<Page> {
    const page = await web.visitor();
    await page.goto(web.url(at));
    await toIssuer(page);
    await sayAs(page, name);
    return page;
  }
  async function sayAs(page: Page, name: string): Promise<void> {
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('leads back to the page that was opened, as whom the issuer names', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const page = await web.visitor();
    await page.goto(web.url(`/q/${id}`));
    await page.getByLabel('Or with a key').waitFor();
    await assertAccessible(page);
    await toIssuer(page);
    await page.waitForURL((url) => url.origin === issuer.url);
    await sayAs(page, 'ida');
    await page.getByRole('heading', { name: QUESTIONS.confirm.question }).waitFor();
    await page.getByText('ida', { exact: true }).first().waitFor();
    assert.equal(page.url(), web.url(`/q/${id}`));
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.responded_by, 'ida');
    await page.context().close();
  });

  it('keeps what narrows the list on the way to the issuer and back', async () => {
    const page = await saying('ida', '/all?text=valve');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    assert.equal(page.url(), web.url('/all?text=valve'));
    await page.context().close();
  });

  it('says that the issuer did not sign somebody in, and lets try again', async () => {
    const page = await web.visitor();
    await page.goto(web.url());
    await toIssuer(page);
    await page.getByRole('link', { name: /cancel/i }).click();
    const told = page.getByRole('alert');
    await told.getByText('Your organisation did not sign you in').waitFor();
    await told.getByText('sign_in_failed').waitFor();
    await assertAccessible(page);
    await toIssuer(page);
    await sayAs(page, 'ida');
    await page.getByText('ida', { exact: true }).first().waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.context().close();
  });

  it('lets nobody in whose roles have no inbox', async () => {
    const page = await saying('helper');
    await page.getByRole('alert').getByText('forbidden').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to the inbox' }).waitFor();
    assert.equal((await page.request.get(`${web.gate.url}/session`)).status(), 401);
    await page.context().close();
  });

  it('withdraws what somebody has asked itself, and nothing of others', async () => {
    const others = await web.ask(QUESTIONS.text);
    const page = await saying('olga');
    const asked = await page.evaluate<{ readonly id: string }>(ASK);
    await page.goto(web.url(`/q/${asked.id}`));
    await page.getByRole('button', { name: 'Withdraw…' }).click();
    await page.getByLabel('Why (optional)').fill('Found it myself');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page
      .getByText(/Withdrawn by .*: Found it myself/)
      .first()
      .waitFor();
    await page.goto(web.url(`/q/${others.id}`));
    await page.getByRole('button', { name: 'Withdraw…' }).click();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('alertdialog').getByText('forbidden').waitFor();
    await assertAccessible(page);
    assert.equal((await web.read(others.id)).state, 'pending');
    await page.context().close();
  });
});

/** What the page of the inbox would do for whoever asks in it: asks with the cookie of the browser. */
const ASK = `(async () => {
  const session = await (await fetch('/session')).json();
  const reply = await fetch('/v1/suspensions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': session.csrf },
    body: JSON.stringify({ question: 'Where is the key?', response_type: 'text' }),
  });
  return reply.json();
})()`;
