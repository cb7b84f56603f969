import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confirm, type Outbox, openOutbox, poll, system, to } from '#tests/support/outbox.ts';
import { accountEmail, noticeEmail } from '../email-words.ts';
import { emailQueue, listEmails } from '../store.ts';
import { findMailTroubles, runMails } from './commands.ts';

let box: Outbox;
beforeEach(async () => {
  box = await openOutbox();
});
afterEach(() => box.close());

describe('an email that no server takes', () => {
  const change = (set: string) =>
    box.database.work(system, ({ client }) => client.query(`update mail_outbox set ${set}`));
  const run = async () =>
    box.database.work(system, async (tx) => {
      for (const { id } of await listEmails(tx, 10)) await box.engines.jobs.send(tx, emailQueue, { letterId: id });
    });

  it.each([
    ['a code', confirm, 30 * 60],
    ['a receipt', accountEmail('receipt', 'Your receipt', 'Thank you.'), 5 * 24 * 3600],
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
    expect(await findMailTroubles(box.engines)).toEqual([expect.stringContaining('1 email waits')]);
    await change(`tries = 200`);
    await run();
    await poll(async () => (await box.list())[0]).toMatchObject({ tries: 201, state: 'queued', text: confirm.text });
    await change(`expires_at = now()`);
    await run();
    await poll(async () => (await box.list())[0]).toMatchObject({ tries: 201, state: 'given_up', text: '' });
    expect(JSON.stringify(box.logged)).toContain('an email was given up');
    expect(await findMailTroubles(box.engines)).toEqual([expect.stringContaining('1 email was given up')]);
    const listed = await runMails(box.engines, []);
    for (const words of ['given up', 'confirm', to, '201 tries: 554 5.7.1 relay access denied', 'cannot be sent again'])
      expect(listed).toContain(words);
    await expect(runMails(box.engines, ['send', 'all'])).rejects.toThrow('nothing to send again');
    expect(await runMails(box.engines, ['seen', 'all'])).toBe('1 email marked as seen.');
    expect(await findMailTroubles(box.engines)).toEqual([]);
    expect(box.sent).toEqual([]);
  });

  it('sends what was given up again when an operator says so', async () => {
    box.refusal = new Error('connect ECONNREFUSED');
    const receipt = accountEmail('receipt', 'Your receipt', 'Thank you.');
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
});
