import { insertAccessRequests } from '#features/access/requesting-store.ts';
import { insertAgreement } from '#features/links/agreements-store.ts';
import { recordReport } from '#features/security/recording.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { canaries, type Owner } from './owners.ts';

/** A text that viewers of a link may have to agree to. */
export async function makeAgreement({ engines }: TestApp, { person, whose }: Owner): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'agreement'>(now.getTime());
  const text = { title: 'House rules', body: `Rules of ${canaries[whose]}`, asksName: false };
  await engines.database.work({ kind: 'system' }, (tx) =>
    insertAgreement(tx, { id, creatorId: person.userId, familyId: id, ...text, now }, 10_000),
  );
  return id;
}

type Shown = Record<'viewerRow' | 'link' | 'album' | 'visit', string>;

/** A viewer's question for access that waits, and what the creator has opened for them by hand: both of one id. And what their browser reported. */
export async function makeAccess(
  app: TestApp,
  owner: Owner,
  shown: Shown,
): Promise<{ access: string; securityEvent: string }> {
  const { engines } = app;
  const { person, whose } = owner;
  const { viewerRow, link, album } = shown;
  const now = new Date(engines.clock());
  const access = newId<'access request'>(now.getTime());
  await engines.database.work({ kind: 'system' }, async (tx) => {
    await insertAccessRequests(tx, {
      albumIds: [album],
      creatorId: person.userId,
      linkId: link,
      viewerId: viewerRow,
      groupId: access,
      name: `Bob ${canaries[whose]}`.slice(0, 60),
      message: `Please, ${canaries[whose]}`,
      email: undefined,
      device: { userAgent: 'Safari', platform: 'iPhone' },
      country: undefined,
      now,
      expiresAt: new Date(now.getTime() + 86_400_000),
    });
    await tx.client.query(
      `insert into album_access_grants (id, album_id, user_id, viewer_id, link_id, source, created_at) values ($1, $2, $3, $4, $5, 'manual', $6)`,
      [access, album, person.userId, viewerRow, link, now],
    );
  });
  return { access, securityEvent: await makeSecurityEvent(app, owner, shown) };
}

/** Something that a viewer's browser reported. */
async function makeSecurityEvent(
  { engines }: TestApp,
  { person }: Owner,
  { viewerRow, link, visit }: Shown,
): Promise<string> {
  const now = new Date(engines.clock());
  const reporter = { creatorId: person.userId, linkId: link, visitId: visit, viewerId: viewerRow, device: {} };
  const [reported] = await engines.database.work({ kind: 'system' }, async (tx) => {
    // Nothing that stands there is the same again.
    await tx.client.query(
      "update security_events set action_taken = 'ignored', handled_at = $2 where session_id = $1 and action_taken is null",
      [visit, now],
    );
    return recordReport(tx, reporter, [{ type: 'focus_change', count: 1 }], { now, lastAnswer: undefined });
  });
  return reported?.eventId ?? '';
}
