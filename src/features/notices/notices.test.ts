import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Runner } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { type Letter, LetterRefused } from '#engines/mail/mail.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { declareNoticeJobs } from './jobs.ts';
import {
  accountExistsLetter,
  confirmLetter,
  firstOpenLetter,
  furtherOpensLetter,
  newDeviceLetter,
  passwordGuessedLetter,
  passwordLetter,
  wrongPasswordsLetter,
} from './letters.ts';
import { findQueuedLetter, letterQueue, listLetters, markLetterSent, queueLetter } from './store.ts';

const system: Runner = { kind: 'system' };
const creator: Runner = { kind: 'user', userId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab' };
const now = new Date('2026-11-21T12:00:00Z');
const to = 'bob@example.org';
const confirm = confirmLetter({
  link: 'https://x.test/confirm?token=secret',
  code: '123456',
  linkMinutes: 30,
  codeMinutes: 10,
});

let database: Database;
let engines: Pick<Engines, 'database' | 'jobs' | 'mail' | 'installation' | 'clock'>;
let sent: Letter[];
let logged: object[];
let refusal: Error | undefined;

beforeEach(async () => {
  database = await openTestDatabase();
  [sent, logged, refusal] = [[], [], undefined];
  const note = (about: object) => void logged.push(about);
  engines = {
    database,
    jobs: openJobs({ database, log: { info: note, warn: note, error: note } }),
    mail: {
      place: 'the test',
      async send(letter) {
        if (refusal !== undefined) throw refusal;
        sent.push(letter);
      },
    },
    installation: { publicUrl: 'https://x.test', isSandbox: false, isSecure: true, dataDir: '' },
    clock: () => now.getTime(),
  };
  declareNoticeJobs(engines as Engines);
  await engines.jobs.start(true);
});
afterEach(async () => {
  await engines.jobs.stop();
  await database.close();
});

const queue = (runner: Runner = system) =>
  database.work(runner, (tx) => queueLetter(tx, engines.jobs, { to, now, ...confirm }));
const outbox = () => database.work(system, (tx) => listLetters(tx, 10));
const stateOf = async () => (await outbox())[0]?.state;

describe('the outbox', () => {
  it("sends a letter when the transaction that wrote it commits, a creator's too", async () => {
    await queue(creator);
    await expect.poll(stateOf).toBe('sent');
    const [row] = await outbox();
    expect(sent).toEqual([{ id: row?.id, to, subject: confirm.subject, text: confirm.text }]);
    expect(row).toMatchObject({ template: 'confirm', tries: 1, lastError: null, createdAt: now, sentAt: now });
  });

  it('sends nothing that was rolled back', async () => {
    const failing = database.work(creator, async (tx) => {
      await queueLetter(tx, engines.jobs, { to, now, ...confirm });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect([await outbox(), await engines.jobs.counts()]).toEqual([[], []]);
  });

  it('forgets the codes in a letter that has left, except where it is to be read here', async () => {
    await queue();
    await expect.poll(stateOf).toBe('sent');
    expect((await outbox())[0]?.text).toBe('');
    engines.installation.isSandbox = true;
    await queue();
    await expect.poll(async () => (await outbox()).map(({ text }) => text).sort()).toEqual(['', confirm.text]);
  });

  it('sends a letter once, however often its job runs', async () => {
    await queue();
    await expect.poll(stateOf).toBe('sent');
    const [row] = await outbox();
    for (let n = 0; n < 2; n++)
      await database.work(system, (tx) => engines.jobs.send(tx, letterQueue, { letterId: row?.id ?? '' }));
    await database.work(system, (tx) => engines.jobs.send(tx, letterQueue, { letterId: randomUUID() }));
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
    refusal = new LetterRefused(new Error('550 no such user'));
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
        await engines.jobs.send(tx, letterQueue, { letterId });
      });
    await tryAs(7);
    await expect.poll(async () => (await outbox())[0]).toMatchObject({ tries: 8, state: 'queued', text: confirm.text });
    await tryAs(8);
    await expect.poll(async () => (await outbox())[0]).toMatchObject({ tries: 9, state: 'bounced', text: '' });
    expect(sent).toEqual([]);
  });

  it('is no business of a creator', async () => {
    await queue();
    const [row] = await outbox();
    await expect(database.work(creator, (tx) => listLetters(tx, 10))).rejects.toMatchObject({ code: '42501' });
    await expect(database.work(creator, (tx) => findQueuedLetter(tx, row?.id ?? ''))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      database.work(creator, (tx) => markLetterSent(tx, row?.id ?? '', { now, keepText: true })),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('letters', () => {
  const times = { link: 'https://x.test/a', code: '123456', linkMinutes: 30, codeMinutes: 10 };
  const all = [
    confirmLetter(times),
    accountExistsLetter({ signInLink: 'https://x.test/auth', passwordLink: 'https://x.test/reset' }),
    passwordLetter({ ...times, isFirst: true }),
    passwordLetter({ ...times, isFirst: false }),
    newDeviceLetter({
      device: 'Firefox on Linux',
      country: undefined,
      at: '21 November 2026, 12:00 UTC',
      securityLink: 'https://x.test/profile',
    }),
    wrongPasswordsLetter({ tries: 5, minutes: 15, securityLink: 'https://x.test/profile' }),
    firstOpenLetter({
      at: '21 November 2026, 12:00 UTC',
      country: 'Germany',
      linkPage: 'https://x.test/magic-links/1',
    }),
    passwordGuessedLetter({ tries: 200, linkPage: 'https://x.test/magic-links/1' }),
    furtherOpensLetter({ opens: 3, since: '21 November 2026, 12:00 UTC', linkPage: 'https://x.test/magic-links/1' }),
  ];

  it('are plain text with a neutral subject and a name of their own', () => {
    expect(new Set(all.map(({ template }) => template)).size).toBe(all.length);
    for (const { subject, text } of all) {
      expect(subject).toMatch(/^[A-Z][^\n<>]{5,60}$/);
      expect(subject).not.toMatch(/\d|album|photo|private/i);
      expect(text).not.toMatch(/<\w+|undefined|\[object/);
      expect(text.endsWith('\n– PrivateFans\n')).toBe(true);
    }
  });

  it('carry link and code with how long they live', () => {
    for (const { text } of [all[0], all[2], all[3]].filter((one) => one !== undefined)) {
      expect(text).toContain('123456');
      expect(text).toMatch(/\nhttps:\/\/x\.test\/a\n/);
      expect(text).toContain('10 minutes');
      expect(text).toContain('30 minutes');
    }
  });
});
