import path from 'node:path';
import { readConfig } from '#app/config.ts';
import { openEngines } from '#app/engines.ts';
import { openLog } from '#app/log.ts';
import { insertSession } from '#features/accounts/auth-store.ts';
import { signToken } from '#features/accounts/browser-session.ts';
import { dayMs } from '#kit/time.ts';
import type { Demo } from './product.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Signs the demo's creator in on many devices, past the password, which would cost 25 ms each, and tells them of events. */
export async function openSessions(dataDir: string, { email }: Demo, count: number) {
  const engines = await openEngines(readConfig({ DATA_DIR: dataDir, PF_ROLE: 'web' }), openLog('warn'), root);
  const { work } = engines.database;
  return work({ kind: 'system' }, async (tx) => {
    const { id: userId } = await tx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const now = new Date();
    const cookies: string[] = [];
    for (let n = 0; n < count; n++) {
      const expiresAt = new Date(now.getTime() + dayMs);
      const session = { userId, userAgent: 'bench', country: undefined, now, expiresAt };
      const { token } = await insertSession(engines, tx, session);
      cookies.push(`pf.session_token=${encodeURIComponent(signToken(token, engines.secrets))}`);
    }
    const publishTo = (albumId: string) =>
      work({ kind: 'system' }, (one) => one.publish({ kind: 'album.changed', creatorId: userId, albumId }));
    return { cookies, creatorId: userId, publishTo };
  });
}
