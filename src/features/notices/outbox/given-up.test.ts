import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmailDeferred } from '#engines/mail/mail.ts';
import { confirm, type Outbox, openOutbox, poll, system, to } from '#tests/support/outbox.ts';
import { findMailTroubles, runMails } from '../commands.ts';
import { accountEmail, noticeEmail, validFor } from '../email-words.ts';
import { forgetOld } from '../jobs.ts';
import { emailQueue, listEmails } from '../store.ts';
import { sendEmail } from './sending.ts';

let box: Outbox;
beforeEach(async () => {
  box = await openOutbox();
});
afterEach(() => box.close());

const noTroubles = { troubles: [], isOurs: false };
const receipt = accountEmail('receipt', 'Your receipt', 'Thank you.');

describe('an email that no server takes', () => {
  const change = (set: string) =>
    box.database.work(system, ({ client }) => client.query(`update mail_outbox set next_try_at = now(), ${set}`));
  const run = async () =>
    box.database.work(system, async (tx) => {
      for (const { id } of await listEmails(tx, 10)) await box.engines.jobs.send(tx, emailQueue, { letterId: id });
    });

  it.each([
    ['a code', confirm, 30 * 60],
    ['a receipt', receipt, 5 * 24 * 3600],
    ['a notice', noticeEmail('storage', 'Your storage', 'It is filling up.'), 24 * 3600],
  ])('tries %s for as long as it is of use', async (_, email, seconds) => {
    box.refusal = new Error('451 try again later');
    await box.queue(system, email);
    await poll(async () => (await box.list())[0]?.tries).toBe(1);
    const { rows } = await box.database.work(system, ({ client }) =>
      client.query(
        `select life_seconds as seconds, expires_at - interval '1 second' * life_seconds <= now() as "isFromNow" from mail_outbox`,
      ),
    );
    expect(rows).toEqual([{ seconds, isFromNow: true }]);
  });

  it('gives up a code when it has expired, and forgets it; the log, health and `pf mails` say so', async () => {
    box.refusal = new Error('554 5.7.1 relay access denied');
    await box.queue();
    await poll(async () => (await box.list())[0]?.tries).toBe(1);
    expect(await findMailTroubles(box.engines)).toEqual({
      troubles: [expect.stringContaining('1 email waits')],
      isOurs: true,
    });
    await change(`tries = 200`);
    await run();
    await poll(async () => (await box.list())[0]).toMatchObject({ tries: 201, state: 'queued', text: confirm.text });
    await change(`expires_at = now()`);
    await run();
    await poll(async () => (await box.list())[0]).toMatchObject({ tries: 201, state: 'given_up', text: '' });
    expect(JSON.stringify(box.logged)).toContain('an email was given up');
    expect(await findMailTroubles(box.engines)).toEqual({
      troubles: [expect.stringContaining('1 email was given up')],
      isOurs: true,
    });
    const listed = await runMails(box.engines, []);
    for (const words of ['given up', 'confirm', to, '201 tries: 554 5.7.1 relay access denied', 'cannot be sent again'])
      expect(listed).toContain(words);
    await expect(runMails(box.engines, ['send', 'all'])).rejects.toThrow('nothing to send again');
    expect(await runMails(box.engines, ['seen', 'all'])).toBe('1 email marked as seen.');
    expect(await findMailTroubles(box.engines)).toEqual(noTroubles);
    expect(box.sent).toEqual([]);
  });

  it('sends what was given up again when an operator says so', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    await box.queue(system, receipt);
    await poll(async () => (await box.list())[0]?.tries).toBe(1);
    await change(`expires_at = now()`);
    await run();
    await poll(box.stateOf).toBe('given_up');
    box.refusal = undefined;
    const [{ id } = { id: '' }] = await box.list();
    await expect(runMails(box.engines, ['send', randomUUID()])).rejects.toThrow('nothing to send again');
    await expect(runMails(box.engines, ['send', 'some'])).rejects.toThrow('Use `mails`');
    expect(await runMails(box.engines, ['send', id])).toBe('1 email will be sent again.');
    await poll(box.stateOf).toBe('sent');
    expect(box.sent.map(({ text }) => text)).toEqual([receipt.text]);
    expect(await runMails(box.engines, [])).toBe('No email was given up, and none waits after a failure.');
  });

  const giveUpAll = async () => {
    await poll(async () => (await box.list()).every(({ tries }) => tries === 1)).toBe(true);
    await change(`expires_at = now()`);
    await run();
    await poll(async () => (await box.list()).every(({ state }) => state === 'given_up')).toBe(true);
  };

  it('sends all of very many again, some at a time', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    await box.queue(system, receipt);
    await poll(async () => (await box.list())[0]?.tries).toBe(1);
    await change(`expires_at = now() + interval '1 hour', state = 'given_up'`);
    await box.database.work(system, ({ client }) =>
      client.query(`insert into mail_outbox
        select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).* from mail_outbox m, generate_series(1, 500)`),
    );
    expect(await runMails(box.engines, ['send', 'all'])).toBe('501 emails will be sent again.');
  });

  it('sends nothing again that was marked as seen, unless it is named', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    await box.queue(system, receipt);
    await giveUpAll();
    box.refusal = undefined;
    const [{ id } = { id: '' }] = await box.list();
    await runMails(box.engines, ['seen', id]);
    await expect(runMails(box.engines, ['send', 'all'])).rejects.toThrow('nothing to send again');
    expect(box.sent).toEqual([]);
    await runMails(box.engines, ['send', id]);
    await poll(box.stateOf).toBe('sent');
  });

  it("is no operator's trouble while one recipient's domain alone does not take it", async () => {
    box.refusal = new EmailDeferred(new Error('451 4.7.1 try again later'));
    for (const address of ['a@mail.evil.example', 'b@evil.example', 'C@EVIL.example', 'd@other.example'])
      await box.queue(system, confirm, address);
    await poll(async () => (await box.list()).every(({ tries }) => tries === 1)).toBe(true);
    expect(await findMailTroubles(box.engines)).toEqual({
      troubles: [expect.stringContaining('4 emails wait')],
      isOurs: false,
    });
    expect(await runMails(box.engines, [])).toContain('451 4.7.1 try again later');
    await box.queue(system, confirm, 'e@third.example');
    await poll(async () => (await findMailTroubles(box.engines)).isOurs).toBe(true);
  });

  it('is of an operator where it had no try at all', async () => {
    await box.engines.jobs.stop();
    await box.database.work(system, ({ client }) =>
      client.query(
        `insert into mail_outbox (id, template, recipient, subject, body_text, created_at) values ($1, 'receipt', $2, 's', 't', now())`,
        [randomUUID(), to],
      ),
    );
    const [{ id } = { id: '' }] = await box.list();
    await change(`expires_at = now()`);
    await sendEmail(box.engines, id);
    expect((await findMailTroubles(box.engines)).isOurs).toBe(true);
  });

  it('is seen by itself a day after the code or link in it has expired; a receipt is not', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    await box.queue();
    await box.queue(system, receipt);
    await giveUpAll();
    await change(`expires_at = now() - interval '23 hours'`);
    await forgetOld(box.engines);
    expect((await findMailTroubles(box.engines)).troubles).toEqual([expect.stringContaining('2 emails were')]);
    await change(`expires_at = now() - interval '25 hours'`);
    await forgetOld(box.engines);
    expect((await findMailTroubles(box.engines)).troubles).toEqual([expect.stringContaining('1 email was')]);
    expect(await runMails(box.engines, [])).toContain('receipt');
  });

  it('is not kept to be sent again when it carries a link, however long that worked', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    await box.queue(system, validFor(1440, receipt));
    await giveUpAll();
    expect((await box.list())[0]?.text).toBe('');
  });
});
