import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { OutboxEmail } from '../contract.ts';

const mostListed = 50;

/** Lists the newest emails to an address, without their text. */
export const listEmailsTo = (tx: Tx, address: string): Promise<OutboxEmail[]> =>
  tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'template', 'state', 'tries', 'last_error as lastError'])
    .select(['created_at as createdAt', 'sent_at as sentAt'])
    .select(sql<boolean>`state = 'given_up' and body_text <> ''`.as('canBeSentAgain'))
    .where('recipient', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostListed)
    .$castTo<OutboxEmail>()
    .execute();
