import { expect } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import type { Runner } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import type { Email } from '#engines/mail/mail.ts';
import { confirmationEmail, type EmailText } from '#features/notices/emails.ts';
import { declareNoticeJobs } from '#features/notices/jobs.ts';
import { listEmails, type OutboxRow, queueEmail } from '#features/notices/store.ts';
import { openTestDatabase } from './database/test-database.ts';

export const system: Runner = { kind: 'system' };
export const creator: Runner = { kind: 'user', userId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab' };
export const now = new Date('2026-11-21T12:00:00Z');
export const to = 'bob@example.org';
export const confirm: EmailText = confirmationEmail({
  link: 'https://x.test/confirm?token=secret',
  code: '123456',
  linkMinutes: 30,
  codeMinutes: 10,
});

/** Asks until the answer is right; jobs run when the machine comes to them. */
export const poll = <T>(read: () => T) => expect.poll(read);

/** An outbox whose jobs run, before a mail server of the test's own. */
export interface Outbox {
  database: Database;
  engines: Pick<Engines, 'database' | 'jobs' | 'keys' | 'mail' | 'installation' | 'clock' | 'log'>;
  sent: Email[];
  logged: object[];
  /** What the mail server refuses every email with, while it is set. */
  refusal: Error | undefined;
  queue(runner?: Runner, email?: EmailText, address?: string): Promise<void>;
  list(): Promise<OutboxRow[]>;
  stateOf(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** @param workJobs false leaves every job waiting */
export async function openOutbox({ workJobs = true } = {}): Promise<Outbox> {
  const database = await openTestDatabase();
  const [sent, logged]: [Email[], object[]] = [[], []];
  const note = (about: object, words?: string) => void logged.push({ ...about, words });
  const log = { info: note, warn: note, error: note };
  const jobs = openJobs({ database, log });
  const list = () => database.work(system, (tx) => listEmails(tx, 10));
  const box: Outbox = {
    database,
    engines: {
      database,
      jobs,
      log,
      keys: keyRingOf([{ id: 'a', key: Buffer.alloc(32, 1) }]),
      mail: {
        check: async () => undefined,
        place: 'the test',
        async send(email) {
          if (box.refusal !== undefined) throw box.refusal;
          sent.push(email);
        },
      },
      installation: { publicUrl: 'https://x.test', isSandbox: false, isSecure: true, dataDir: '' },
      clock: () => now.getTime(),
    },
    sent,
    logged,
    refusal: undefined,
    queue: (runner = system, email = confirm, address = to) =>
      database.work(runner, (tx) => queueEmail(tx, jobs, { to: address, now, ...email })),
    list,
    stateOf: async () => (await list())[0]?.state,
    async close() {
      await jobs.stop();
      await database.close();
    },
  };
  declareNoticeJobs(box.engines as Engines);
  await jobs.start(workJobs);
  return box;
}
