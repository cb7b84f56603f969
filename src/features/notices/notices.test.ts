import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmailRefused } from '#engines/mail/mail.ts';
import { dayMs } from '#kit/time.ts';
import { confirm, creator, now, type Outbox, openOutbox, poll, system, to } from '#tests/support/outbox.ts';
import type { EmailText } from './emails.ts';
import { forgetOld, requeueLost } from './jobs.ts';
import { claimEmail, emailQueue, listEmails, markEmailSent, queueEmail, type ReportedState } from './store.ts';

let box: Outbox;
beforeEach(async () => {
  box = await openOutbox();
});
afterEach(() => box.close());

describe('the outbox', () => {
  it("sends an email when the transaction that wrote it commits, a creator's too", async () => {
    await box.queue(creator);
    await poll(box.stateOf).toBe('sent');
    const [row] = await box.list();
    const { subject, text } = confirm;
    expect(box.sent).toEqual([
      { id: row?.id, to, subject, text, html: expect.stringContaining('123456'), headers: {} },
    ]);
    expect(row).toMatchObject({ template: 'confirm', tries: 1, lastError: null, createdAt: now, sentAt: now });
  });

  it('sends the text of an email whose HTML cannot be made, and says so in the log', async () => {
    const broken: EmailText = { ...confirm, parts: [{ kind: 'words', words: 'Hello \u0001' }], text: 'Hello' };
    await box.queue(system, broken);
    await poll(box.stateOf).toBe('sent');
    expect(box.sent).toEqual([{ id: expect.any(String), to, subject: confirm.subject, text: 'Hello', headers: {} }]);
    expect(JSON.stringify(box.logged)).toContain('cannot be made');
    expect(JSON.stringify(box.logged)).not.toContain('Hello');
  });

  it('sends nothing that was rolled back', async () => {
    const failing = box.database.work(creator, async (tx) => {
      await queueEmail(tx, box.engines.jobs, { to, now, ...confirm });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect([await box.list(), await box.engines.jobs.counts()]).toEqual([[], []]);
  });

  it('forgets the codes in an email that has left, except where it is to be read here', async () => {
    await box.queue();
    await poll(box.stateOf).toBe('sent');
    expect((await box.list())[0]?.text).toBe('');
    box.engines.installation.isSandbox = true;
    await box.queue();
    await poll(async () => (await box.list()).map(({ text }) => text).sort()).toEqual(['', confirm.text]);
  });

  it('sends an email once, however often its job runs', async () => {
    await box.queue();
    await poll(box.stateOf).toBe('sent');
    const [row] = await box.list();
    for (let n = 0; n < 2; n++)
      await box.database.work(system, (tx) => box.engines.jobs.send(tx, emailQueue, { letterId: row?.id ?? '' }));
    await box.database.work(system, (tx) => box.engines.jobs.send(tx, emailQueue, { letterId: randomUUID() }));
    const isIdle = async () => (await box.engines.jobs.counts()).every(({ state }) => state === 'completed');
    await poll(isIdle).toBe(true);
    expect(box.sent).toHaveLength(1);
  });

  /** What the box.engines' jobs are, by state: a try that failed leaves a job for the next. */
  const jobStates = async () => (await box.engines.jobs.counts()).map(({ state, count }) => `${state} ${count}`);
  const change = (set: string) =>
    box.database.work(system, ({ client }) => client.query(`update mail_outbox set ${set}`));

  it('tries again when the server does not take it now, and says so without the address', async () => {
    box.refusal = new Error('550 relay denied, bob@example.org');
    await box.queue();
    await poll(async () => (await box.list())[0]?.tries).toBe(1);
    expect((await box.list())[0]).toMatchObject({ state: 'queued', lastError: '550 relay denied, bob@example.org' });
    await poll(jobStates).toEqual(['completed 1', 'created 1']);
    expect(box.logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(box.logged)).not.toContain('bob@example.org');
  });

  it('counts it as bounced at once when the recipient has no such mailbox', async () => {
    box.refusal = new EmailRefused(new Error('550 no such user'));
    await box.queue();
    await poll(box.stateOf).toBe('bounced');
    expect((await box.list())[0]).toMatchObject({ tries: 1, lastError: '550 no such user', text: '' });
    expect(box.logged).toEqual([]);
  });

  /** An email of some days ago that no job sends any more. */
  async function leave(
    daysAgo: number,
    more: { state?: ReportedState | 'queued' | 'sent'; user_id?: string; is_named_by_link?: boolean } = {},
  ) {
    const id = randomUUID();
    const about = { template: 'confirm', recipient: to, subject: confirm.subject, body_text: confirm.text };
    const at = new Date(now.getTime() - daysAgo * dayMs);
    await box.database.work(system, ({ db }) =>
      db
        .insertInto('mail_outbox')
        .values({ id, ...about, created_at: at, ...more })
        .execute(),
    );
    return id;
  }

  it('sends an email whose job died, once it has waited for long', async () => {
    const [lost, waiting] = [await leave(1), await leave(1)];
    await leave(1, { state: 'delivered' });
    await change(`next_try_at = now() - interval '${'16 minutes'}' where id = '${lost}'`);
    await requeueLost(box.engines);
    await poll(() => box.sent.map(({ id }) => id)).toEqual([lost]);
    expect((await box.list()).find(({ id }) => id === waiting)?.state).toBe('queued');
  });

  it('forgets the text of what was given up after 30 days', async () => {
    const [old, young] = [await leave(31), await leave(29)];
    await change(`state = 'given_up'`);
    await forgetOld(box.engines);
    const texts = new Map((await box.list()).map(({ id, text }) => [id, text]));
    expect([texts.get(old), texts.get(young)]).toEqual(['', confirm.text]);
  });

  it('forgets emails to people without an account after 90 days, all but what an unsubscribe link names', async () => {
    const kept = [
      await leave(89.9),
      await leave(91, { user_id: randomUUID() }),
      await leave(91, { state: 'sent', is_named_by_link: true }),
    ];
    for (const state of ['queued', 'sent', 'bounced'] as const) await leave(90.1, { state });
    await forgetOld(box.engines);
    expect((await box.list()).map(({ id }) => id).sort()).toEqual(kept.sort());
  });

  it('is no business of a creator', async () => {
    await box.queue();
    const [row] = await box.list();
    await expect(box.database.work(creator, (tx) => listEmails(tx, 10))).rejects.toMatchObject({ code: '42501' });
    await expect(box.database.work(creator, (tx) => claimEmail(tx, row?.id ?? ''))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      box.database.work(creator, (tx) => markEmailSent(tx, row?.id ?? '', { now, keepText: true })),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
