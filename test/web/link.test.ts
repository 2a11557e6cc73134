import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { contentOf } from '../../activities/channels/email/content.js';
import { redact } from '../../domain/suspension/telling/redaction.js';
import { linkMaker } from '../../runtime/link-tokens.js';
import { lookUntil } from '../support/looks.js';
import { requestWith } from '../domain/suspension/notification-samples.js';
import { KEYS } from '../support/real-stack.js';
import { LINK_KEYS } from '../support/stack-activities.js';
import { APPROVALS, MAIL, QUESTIONS } from './support/questions.js';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const CONFIG = {
  ...APPROVALS,
  directory: { people: { ana: { name: 'Ana Ruiz' } } },
  notifications: { context_keys: ['customer', 'reason', 'order'] },
};

describe('the page of a link', () => {
  let web: WebStack;
  useWebStack(CONFIG, (started) => {
    web = started;
  });

  type Asked = Pick<SuspensionView, 'id'> & { readonly until?: string | undefined };
  const linkTo = ({ id, until }: Asked): Promise<string> => {
    const content = { space: 'default', person: 'ana', suspension_id: id, question_version: 1 };
    return linkMaker(web.gate.url, LINK_KEYS)(content, until);
  };

  /** Opens the link of a question as somebody without any session. */
  async function opened(asked: Asked, options = {}): Promise<Page> {
    const page = await web.visitor(options);
    await page.goto(await linkTo(asked));
    return page;
  }

  it('shows the question, decides nothing by itself, and answers once', async () => {
    const asked = await web.ask(QUESTIONS.choice);
    const page = await opened(asked);
    await page.getByText('agent-1 asks Ana Ruiz for ursula').waitFor();
    assert.equal(await page.evaluate('location.hash'), '');
    await assertAccessible(page);
    assert.equal((await web.read(asked.id)).state, 'pending');
    await page.getByText('Refund half').click();
    await page.getByRole('button', { name: 'Send: Refund half' }).click();
    await page.getByText('Thank you, your answer counts').waitFor();
    await assertAccessible(page);
    const { record } = await web.read(asked.id);
    assert.deepEqual([record.response, record.responded_by], ['half', 'ana']);
    const again = await opened(asked);
    await again.getByText('This link was used already').waitFor();
    await again.getByText('link_used').waitFor();
    await again.getByText('By whom', { exact: true }).waitFor();
    await assertAccessible(again);
    await web.leave(page, again);
  });

  it('shows HTML as the text that it is, and all of a command, as the inbox does', async () => {
    const reason = {
      copy: 'cp <a> <b> && rm -rf <c>',
      link: 'rm [-rf](/) <old> --force',
      paths: 'rm */*.log a*b c*d',
      page: '<iframe src="https://spy.example/">\n<script>alert(1)</script>',
      hidden: '[x]: /etc/passwd',
      fenced: '~~~ rm -rf now',
    };
    const question = `Run it?\n\nFirst ${reason.copy} then <secret-flag> <!-- all -->`;
    const asked = await web.ask({ question, response_type: 'confirm', context: { reason } });
    for (const page of [await web.signedIn('operator', `/q/${asked.id}`), await opened(asked)]) {
      const main = page.getByRole('main');
      await main.getByText('then <secret-flag> <!-- all -->').waitFor();
      const text = await main.innerText();
      for (const command of Object.values(reason)) {
        assert.ok(text.includes(command), `${command}\n${text}`);
      }
      assert.equal(await main.locator('iframe, script, a[href="/"]').count(), 0);
      await assertAccessible(page);
      await web.leave(page);
    }
  });

  it('opens from each choice of a mail, which it marks and does not send', async () => {
    const asked = await web.ask(QUESTIONS.choice);
    const to = { principal: 'ana', name: 'Ana Ruiz', address: 'ana@example.com' };
    const message = redact(requestWith({ choices: [...QUESTIONS.choice.choices] }), {
      context_keys: [],
      personal_data_keys: [],
      e2e_encrypted: false,
    });
    const link = await linkTo(asked);
    const { parts } = contentOf(message, { ...to, link }, { now: new Date(), inbox: undefined });
    const urls = parts.flatMap((part) => (part.kind === 'link' ? [part] : []));
    assert.deepEqual(
      urls.map(({ label }) => label),
      QUESTIONS.choice.choices.map(({ label }) => label),
    );
    for (const { label, url } of urls) {
      const page = await web.visitor();
      await page.goto(url);
      await page.getByRole('radio', { name: new RegExp(label), checked: true }).waitFor();
      await page.getByRole('button', { name: `Send: ${label}` }).waitFor();
      assert.equal(await page.evaluate('location.hash'), '');
      await web.leave(page);
    }
    assert.equal((await web.read(asked.id)).state, 'pending');
  });

  it('asks once more where somebody else has claimed the question, before or after it was opened', async () => {
    for (const claimsFirst of [true, false]) {
      const asked = await web.ask({ ...QUESTIONS.confirm, question: `Claimed ${claimsFirst}?` });
      const claim = () => web.stack.post(`/v1/suspensions/${asked.id}/claim`, 'operator', {});
      if (claimsFirst) await claim();
      const page = await opened(asked);
      await page.getByRole('radio', { name: 'Yes' }).waitFor();
      if (!claimsFirst) await claim();
      await page.keyboard.press('1');
      await page.keyboard.press('Control+Enter');
      const dialog = page.getByRole('alertdialog', { name: 'alice has this question' });
      await dialog.waitFor();
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Back' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await web.read(asked.id)).state, 'pending');
      await page.getByRole('button', { name: 'Send: Yes' }).click();
      await dialog.getByRole('button', { name: 'Answer all the same' }).click();
      await page.getByText('Thank you, your answer counts').waitFor();
      assert.equal((await web.read(asked.id)).record.response, 'yes');
      await web.leave(page);
    }
  });

  it('says that its time is over, and that the question was changed', async () => {
    const late = await web.ask(QUESTIONS.confirm);
    const past = new Date(Date.now() - 60_000).toISOString();
    const page = await opened({ ...late, until: past });
    await page.getByText('This link has expired').waitFor();
    await page.getByText('link_expired').waitFor();
    await assertAccessible(page);
    const { id } = await web.ask(QUESTIONS.text);
    const changed = await opened({ id });
    await changed.getByRole('textbox', { name: 'Your answer' }).fill('To the old one');
    const body = { question: 'What should the reply to Southwind say?', question_version: 1 };
    assert.equal((await web.stack.patch(`/v1/suspensions/${id}`, 'agent', body)).status, 200);
    await changed.getByRole('button', { name: 'Send answer' }).click();
    await changed.getByText('This link is out of date').waitFor();
    await changed.getByText('link_stale').waitFor();
    assert.equal((await web.read(id)).state, 'pending');
    await changed.getByRole('link', { name: 'Open the inbox' }).waitFor();
    await web.leave(page, changed);
  });

  it('does not suffice for an approval, and leads to where it is decided', async () => {
    const { id } = await web.askApproval(MAIL);
    const page = await opened({ id });
    await page.getByText('This one needs you to sign in').waitFor();
    assert.equal(await page.getByRole('radio').count(), 0);
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Open it in the inbox' }).click();
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: MAIL.prompt }).waitFor();
    assert.equal(page.url(), web.url(`/q/${id}`));
    await web.leave(page);
  });

  it('says that an answer was handed over, while no worker has taken it', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    await web.stack.delivered(id);
    const page = await opened({ id });
    await page.getByText('No', { exact: true }).click();
    await web.stack.stopWorker();
    await page.getByRole('button', { name: 'Send: No' }).click();
    await page.getByText('Handed over, not confirmed yet').waitFor();
    await assertAccessible(page);
    await web.stack.startWorker();
    await lookUntil(async () => (await web.read(id)).record.response === 'no', 'not answered');
    await web.leave(page);
  });

  it('takes the reply of a proxy for no refusal, and tells in the end what happened', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const page = await opened({ id });
    await page.getByText('No', { exact: true }).click();
    await page.route('**/v1/links/answer', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
    });
    const button = page.getByRole('button', { name: 'Send: No' });
    await button.click();
    await page.getByText('It is not known whether the request arrived').waitFor();
    await assertAccessible(page);
    await page.unrouteAll();
    await button.click();
    await page.getByText('This link was used already').waitFor();
    assert.equal((await web.read(id)).record.response, 'no');
    await web.leave(page);
  });

  it('takes a form on a phone, and says what does not fit', async () => {
    const { id } = await web.ask(QUESTIONS.form);
    const page = await opened({ id }, PHONE);
    await page.getByLabel('Pieces').fill('4000');
    await page.getByLabel('Supplier*').selectOption({ label: 'Hartmann' });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= 390'), true);
    await page.getByRole('button', { name: 'Send answer' }).tap();
    await page
      .getByText(/\b400\b/)
      .first()
      .waitFor();
    await assertAccessible(page);
    assert.equal((await web.read(id)).state, 'pending');
    await page.getByLabel('Pieces').fill('40');
    const send = page.getByRole('button', { name: 'Send answer' });
    assert.ok(((await send.boundingBox())?.height ?? 0) >= 44);
    await send.tap();
    await page.getByText('Thank you, your answer counts').waitFor();
    const { record } = await web.read(id);
    assert.deepEqual(record.response, { supplier: 'Hartmann', pieces: 40, express: false });
    await web.leave(page);
  });

  it('counts what its form shows among what is shown', async () => {
    const fields = [{ name: 'zip', label: 'Postcode', hint: 'of the sender' }];
    const context = { fields, note: 'In the inbox only.' };
    const { id } = await web.ask({ question: 'Where to?', response_type: 'form', context });
    const page = await opened({ id });
    await page.getByText('One fact is shown in the inbox only.').waitFor();
    await page.getByText('Shown on this page already: fields').click();
    await page.getByText('of the sender', { exact: true }).first().waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('is refused where it is cut off, or forged', async () => {
    const page = await web.visitor();
    await page.goto(web.url('/link'));
    await page.getByText('This link is incomplete').waitFor();
    await assertAccessible(page);
    const forged = await web.visitor();
    await forged.goto(web.url('/link#nobody-made-this'));
    await forged.getByText('This link is not from Holdpoint').waitFor();
    await assertAccessible(forged);
    await web.leave(page, forged);
  });
});
