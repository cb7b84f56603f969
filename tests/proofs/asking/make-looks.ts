import { insertLook } from '#features/reports/glass/glass-store.ts';
import { readRow } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { Owner } from './owners.ts';
import type { Ids } from './things.ts';

/** A look of the administrator at a creator's link that goes on as long as a proof does. @returns its id */
export async function makeLook(app: TestApp, { person }: Owner, { link }: Pick<Ids, 'link'>): Promise<string> {
  const now = new Date(app.engines.clock());
  const endsAt = new Date(now.getTime() + 365 * 86_400_000);
  const admin = await readRow<{ id: string }>(
    app,
    `select r.user_id as id from user_roles r join users u on u.id = r.user_id
     where 'owner' = any(r.scopes) and u.email <> 'without-factor@example.com'`,
  );
  const about = { creatorId: person.userId, linkId: link, reportId: null, orderId: null };
  const look = { ...about, adminId: admin.id, now, endsAt, reason: 'To try it.', untoldBecause: null };
  return app.engines.database.work({ kind: 'system' }, (tx) => insertLook(tx, look));
}
