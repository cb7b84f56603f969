import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Runner } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { type Email, EmailRefused } from '#engines/mail/mail.ts';
import { dayMs } from '#kit/time.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { confirmationEmail, type EmailText } from './emails.ts';
import { declareNoticeJobs, forgetOld } from './jobs.ts';
import { emailsOfNotices } from './notice-words.ts';
import { emailQueue, findQueuedEmail, listEmails, markEmailSent, queueEmail, type ReportedState } from './store.ts';
import { liftSuppression, suppressAddress } from './suppressions/suppressions-store.ts';

const system: Runner = { kind: 'system' };
const creator: Runner = { kind: 'user', userId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab' };
const now = new Date('2026-11-21T12:00:00Z');
const to = 'bob@example.org';
const confirm = confirmationEmail({
  link: 'https://x.test/confirm?token=secret',
  code: '123456',
  linkMinutes: 30,
  codeMinutes: 10,
});

let database: Database;
let engines: Pick<Engines, 'database' | 'jobs' | 'keys' | 'mail' | 'installation' | 'clock' | 'log'>;
let sent: Email[];
let logged: object[];
let refusal: Error | undefined;

beforeEach(async () => {
  database = await openTestDatabase();
  [sent, logged, refusal] = [[], [], undefined];
  const note = (about: object) => void logged.push(about);
  engines = {
    database,
    keys: keyRingOf([{ id: 'a', key: Buffer.alloc(32, 1) }]),
    jobs: openJobs({ database, log: { info: note, warn: note, error: note } }),
    mail: {
      place: 'the test',
      async send(email) {
        if (refusal !== undefined) throw refusal;
        sent.push(email);
      },
    },
    installation: { publicUrl: 'https://x.test', isSandbox: false, isSecure: true, dataDir: '' },
    clock: () => now.getTime(),
    log: { info: note, warn: note, error: note },
  };
  declareNoticeJobs(engines as Engines);
  await engines.jobs.start(true);
});
afterEach(async () => {
  await engines.jobs.stop();
  await database.close();
});

const queue = (runner: Runner = system, email: EmailText = confirm) =>
  database.work(runner, (tx) => queueEmail(tx, engines.jobs, { to, now, ...email }));
const outbox = () => database.work(system, (tx) => listEmails(tx, 10));
const stateOf = async () => (await outbox())[0]?.state;

describe('the outbox', () => {
  it("sends an email when the transaction that wrote it commits, a creator's too", async () => {
    await queue(creator);
    await expect.poll(stateOf).toBe('sent');
    const [row] = await outbox();
    const { subject, text } = confirm;
    expect(sent).toEqual([{ id: row?.id, to, subject, text, html: expect.stringContaining('123456'), headers: {} }]);
    expect(row).toMatchObject({ template: 'confirm', tries: 1, lastError: null, createdAt: now, sentAt: now });
  });

  it('sends the text of an email whose HTML cannot be made, and says so in the log', async () => {
    const broken: EmailText = { ...confirm, parts: [{ kind: 'words', words: 'Hello \u0001' }], text: 'Hello' };
    await queue(system, broken);
    await expect.poll(stateOf).toBe('sent');
    expect(sent).toEqual([{ id: expect.any(String), to, subject: confirm.subject, text: 'Hello', headers: {} }]);
    expect(JSON.stringify(logged)).toContain('cannot be made');
    expect(JSON.stringify(logged)).not.toContain('Hello');
  });

  it('sends nothing that was rolled back', async () => {
    const failing = database.work(creator, async (tx) => {
      await queueEmail(tx, engines.jobs, { to, now, ...confirm });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect([await outbox(), await engines.jobs.counts()]).toEqual([[], []]);
  });

  it('forgets the codes in an email that has left, except where it is to be read here', async () => {
    await queue();
    await expect.poll(stateOf).toBe('sent');
    expect((await outbox())[0]?.text).toBe('');
    engines.installation.isSandbox = true;
    await queue();
    await expect.poll(async () => (await outbox()).map(({ text }) => text).sort()).toEqual(['', confirm.text]);
  });

  it('sends an email once, however often its job runs', async () => {
    await queue();
    await expect.poll(stateOf).toBe('sent');
    const [row] = await outbox();
    for (let n = 0; n < 2; n++)
      await database.work(system, (tx) => engines.jobs.send(tx, emailQueue, { letterId: row?.id ?? '' }));
    await database.work(system, (tx) => engines.jobs.send(tx, emailQueue, { letterId: randomUUID() }));
    const isIdle = async () => (await engines.jobs.counts()).every(({ state }) => state === 'completed');
    await expect.poll(isIdle).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('tries again when the server does not take it now, and says so without the address', async () => {
    refusal = new Error('451 try again later, bob@example.org');
    await queue();
    await expect.poll(async () => (await outbox())[0]?.tries).toBe(1);
    expect((await outbox())[0]).toMatchObject({ state: 'queued', lastError: '451 try again later, bob@example.org' });
    const isWaiting = async () => (await engines.jobs.counts()).map(({ state }) => state);
    await expect.poll(isWaiting).toEqual(['retry']);
    expect(logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(logged)).not.toContain('bob@example.org');
  });

  it('gives up at once when the server refuses it for good', async () => {
    refusal = new EmailRefused(new Error('550 no such user'));
    await queue();
    await expect.poll(stateOf).toBe('bounced');
    expect((await outbox())[0]).toMatchObject({ tries: 1, lastError: '550 no such user', text: '' });
    expect(logged).toEqual([]);
  });

  it('gives up after two hours, and forgets the codes in what will never leave', async () => {
    refusal = new Error('451 try again later');
    await queue();
    await expect.poll(async () => (await outbox())[0]?.tries).toBe(1);
    const [{ id: letterId, text } = { id: '', text: '' }] = await outbox();
    expect(text).toBe(confirm.text);
    const tryAs = (tries: number) =>
      database.work(system, async (tx) => {
        await tx.db.updateTable('mail_outbox').set({ tries }).where('id', '=', letterId).execute();
        await engines.jobs.send(tx, emailQueue, { letterId });
      });
    await tryAs(7);
    await expect.poll(async () => (await outbox())[0]).toMatchObject({ tries: 8, state: 'queued', text: confirm.text });
    await tryAs(8);
    await expect.poll(async () => (await outbox())[0]).toMatchObject({ tries: 9, state: 'bounced', text: '' });
    expect(sent).toEqual([]);
  });

  /** An email of some days ago that no job sends any more. */
  async function leave(
    daysAgo: number,
    more: { state?: ReportedState | 'queued' | 'sent'; user_id?: string; is_named_by_link?: boolean } = {},
  ) {
    const id = randomUUID();
    const about = { template: 'confirm', recipient: to, subject: confirm.subject, body_text: confirm.text };
    const at = new Date(now.getTime() - daysAgo * dayMs);
    await database.work(system, ({ db }) =>
      db
        .insertInto('mail_outbox')
        .values({ id, ...about, created_at: at, ...more })
        .execute(),
    );
    return id;
  }

  it('gives up an email whose job died, and forgets the codes in it', async () => {
    const [lost, waiting, gone] = [await leave(1.01), await leave(0.99), await leave(2, { state: 'delivered' })];
    await forgetOld(engines);
    const rows = new Map((await outbox()).map((row) => [row.id, row]));
    expect(rows.get(lost)).toMatchObject({ state: 'bounced', text: '', lastError: expect.stringContaining('died') });
    expect(rows.get(waiting)).toMatchObject({ state: 'queued', text: confirm.text, lastError: null });
    expect(rows.get(gone)?.state).toBe('delivered');
  });

  it('forgets emails to people without an account after 90 days, all but what an unsubscribe link names', async () => {
    const kept = [
      await leave(89.9),
      await leave(91, { user_id: randomUUID() }),
      await leave(91, { state: 'sent', is_named_by_link: true }),
    ];
    for (const state of ['queued', 'sent', 'bounced'] as const) await leave(90.1, { state });
    await forgetOld(engines);
    expect((await outbox()).map(({ id }) => id).sort()).toEqual(kept.sort());
  });

  it('is no business of a creator', async () => {
    await queue();
    const [row] = await outbox();
    await expect(database.work(creator, (tx) => listEmails(tx, 10))).rejects.toMatchObject({ code: '42501' });
    await expect(database.work(creator, (tx) => findQueuedEmail(tx, row?.id ?? ''))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      database.work(creator, (tx) => markEmailSent(tx, row?.id ?? '', { now, keepText: true })),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('an address that gets no notices', () => {
  const place = { publicUrl: 'https://x.test', timeZone: 'Europe/Berlin' };
  const [notice = confirm] = emailsOfNotices([{ event: 'storage', percent: 80 }], place);
  const stop = (reason: 'bounced' | 'complained' | 'unsubscribed') =>
    database.work(system, (tx) => suppressAddress(tx, engines.keys, { address: 'Bob@example.org', reason, now }));

  it.each(['bounced', 'complained', 'unsubscribed'] as const)('because it %s still gets codes', async (reason) => {
    await stop(reason);
    await queue(system, notice);
    await expect.poll(stateOf).toBe('suppressed');
    expect((await outbox())[0]).toMatchObject({ template: 'storage', text: '', tries: 0 });
    await queue();
    await expect.poll(() => sent.map(({ subject }) => subject)).toEqual([confirm.subject]);
  });

  it.each([true, false])('is one whose mail server says that there is no such mailbox: %s', async (hasNoMailbox) => {
    refusal = new EmailRefused(new Error('550 5.1.1 no such user'), { hasNoMailbox });
    await queue();
    await expect.poll(stateOf).toBe('bounced');
    refusal = undefined;
    await queue(system, notice);
    const state = async () => (await outbox()).find(({ template }) => template === 'storage')?.state;
    await expect.poll(state).toBe(hasNoMailbox ? 'suppressed' : 'sent');
  });

  it('gets them again when that is lifted, also with other master keys', async () => {
    await stop('unsubscribed');
    engines.keys = keyRingOf([
      { id: 'b', key: Buffer.alloc(32, 2) },
      { id: 'a', key: Buffer.alloc(32, 1) },
    ]);
    await queue(system, notice);
    await expect.poll(stateOf).toBe('suppressed');
    await database.work(system, (tx) => liftSuppression(tx, engines.keys, to));
    await queue(system, notice);
    await expect.poll(() => sent.map(({ subject }) => subject)).toEqual([notice.subject]);
  });

  it('is told in each notice how to get there, and a mail program by headers that it knows', async () => {
    await queue(system, notice);
    await queue();
    await expect.poll(() => sent.length).toBe(2);
    const [about, code] = ['Your storage is filling up', confirm.subject].map((subject) =>
      sent.find((email) => email.subject === subject),
    );
    const [, address = ''] =
      /^<(https:\/\/x\.test\/unsubscribe\/[\w.-]+)>$/.exec(about?.headers?.['List-Unsubscribe'] ?? '') ?? [];
    expect(about?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    for (const body of [about?.text, about?.html]) expect(body).toContain(address);
    expect(about?.text).toContain('https://x.test/profile/notifications');
    expect(JSON.stringify(code)).not.toMatch(/unsubscribe/i);
  });

  it('is told nothing by headers where there is no https', async () => {
    engines.installation.publicUrl = 'http://localhost:3000';
    await queue(system, notice);
    await expect.poll(() => sent[0]?.headers).toEqual({});
    expect(sent[0]?.text).toContain('http://localhost:3000/unsubscribe/');
  });
});
