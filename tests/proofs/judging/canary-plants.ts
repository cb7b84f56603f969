import { randomBytes, randomInt } from 'node:crypto';
import { grantSeed, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey, findMediaKey } from '#features/media/keys-store.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import { newId } from '#kit/ids.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { Names } from '../asking/everything.ts';
import type { Side, World } from '../asking/world.ts';
import { planted, secrets } from './canary-columns.ts';
import { type Canary, newCanary } from './canary-search.ts';

/** Where A and her viewer live; documentation addresses (RFC 5737), which nobody has. */
export const addresses = { A: '198.51.100.177', viewerOfA: '203.0.113.145' } as const;

/** A canary in every private place of both creators, and the names by which somebody may ask for them. */
export interface Planted extends Names {
  canaries: Canary[];
}

export async function plantCanaries(world: World): Promise<Planted> {
  const { a, b, app } = world;
  for (const [browser, address] of [
    [a.person.browser, addresses.A],
    [a.viewer, addresses.viewerOfA],
  ] as const)
    Object.assign(browser, { address, headers: { ...browser.headers, 'x-forwarded-for': address } });
  const closedSlug = await makeClosedLink(world);
  for (const side of [a, b]) {
    await addRows(world, side);
    await addSecondFactor(world, side);
    await addEmailChange(world, side);
  }
  const canaries: Canary[] = [];
  for (const side of [a, b])
    canaries.push(
      ...(await plantTexts(app, side)),
      ...(await readSecrets(app, side)),
      ...(await deriveKeys(app, side)),
    );
  for (const [who, secret] of Object.entries(addresses))
    canaries.push({ place: `address of ${who}`, of: 'A', for: 'nobody', secret });
  for (const secret of a.viewer.cookies.values())
    canaries.push({ place: 'cookie of a viewer', of: 'A', for: 'viewers', secret });
  canaries.push({ place: 'master key', of: 'A', for: 'nobody', secret: app.engines.keys.current.key });
  advance(app, 1000);
  const named = (wanted: string) =>
    canaries.flatMap(({ place, secret, of }) => (place === wanted ? [[of, String(secret)] as const] : []));
  return { canaries, closedSlug, emails: named('users.email'), handles: named('users.handle') };
}

/** A link of A that no viewer has: a password, a list of people, a name and a note. @returns its slug */
async function makeClosedLink({ app, a }: World): Promise<string> {
  const words = { linkName: 'Another', recipientName: 'Carl', note: 'For Carl', password: newCanary() };
  const input = { albumIds: [a.things.album], ...words, isLaxConfirmed: true };
  const { id, slug } = await must(app, 'links.create', input, a.person.browser);
  const policy = `policy || jsonb_build_object('email', jsonb_build_object('verify', true, 'allow', jsonb_build_array($2::text)))`;
  const allowed = `${newCanary()}@example.com`;
  await readRows(app, `update magic_links set policy = ${policy} where id = $1`, [id, allowed]);
  await readRows(app, `update link_policy_log set policy = ${policy} where link_id = $1`, [id, allowed]);
  return slug;
}

/** A secret that waits for its first code, and a backup code: with a second factor in force, the proof's people would have to give codes. */
async function addSecondFactor({ app }: World, { person: { userId, browser, password } }: Side): Promise<void> {
  await must(app, 'secondFactor.begin', { password }, browser);
  const values = [userId, randomBytes(32), new Date(app.engines.clock())];
  await readRows(app, 'insert into backup_codes (user_id, code_hash, created_at) values ($1, $2, $3)', values);
}

/** A change of address that was undone: nobody's address is another one by it. */
async function addEmailChange({ app }: World, { person: { userId } }: Side): Promise<void> {
  const now = new Date(app.engines.clock());
  const undone = [newId(now.getTime()), userId, randomBytes(32), now, randomBytes(32)];
  await readRows(
    app,
    `insert into email_changes (id, user_id, new_email, code_hash, code_expires_at, created_at, changed_at, old_email, undo_hash, undo_expires_at, undone_at)
     values ($1, $2, '', $3, $4, $4, $4, '', $5, $4, $4)`,
    undone,
  );
}

/** Rows of places that nothing in the proof writes by itself. */
async function addRows({ app }: World, { person: { userId, browser }, things, whose }: Side): Promise<void> {
  const now = new Date(app.engines.clock());
  const id = () => newId(now.getTime());
  const [note, noted] = [newCanary(), newCanary()].map((each) => JSON.stringify({ note: each }));
  await must(app, 'insights.renameViewer', { viewerId: things.viewer, name: 'Somebody' }, browser);
  const endpoint = `https://fcm.googleapis.com/fcm/send/${newCanary()}`;
  await must(app, 'notices.subscribe', { endpoint, p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }, browser);
  const code = Buffer.concat([Buffer.alloc(31, 0xc5), Buffer.from([whose === 'A' ? 10 : 11])]);
  const invitation = id();
  const agreement = id();
  const support = id();
  const inAnHour = new Date(now.getTime() + 3_600_000);
  await addReferral(app, userId, now);
  const rows = [
    ['audit_log (at, actor_type, actor_id, action, details)', now, 'admin', userId, 'proof.noted', noted],
    ['error_logs (id, user_id, component, error_message, created_at)', id(), userId, 'proof', '', now],
    ['app_locks (user_id, pin_hash, created_at)', userId, `$argon2id$${newCanary()}`, now],
    ['lead_captures (id, user_id, email, source, utm, created_at)', id(), userId, '', 'signup_form', note, now],
    ['visit_events (id, user_id, vid, path, utm, user_agent, created_at)', id(), userId, '', '/', note, '', now],
    [
      'conversion_events (id, user_id, session_id, conversion_type, page_path, created_at)',
      ...[id(), userId, '', 'signin', '/auth', now],
    ],
    [
      'agreements (id, user_id, family_id, version, title, body, asks_name, created_at)',
      ...[agreement, userId, agreement, 1, 'Rules', 'Keep it.', true, now],
    ],
    [
      'agreement_acceptances (id, agreement_id, link_id, creator_id, viewer_id, typed_name, at)',
      ...[id(), agreement, things.link, userId, things.viewerRow, 'Jo', now],
    ],
    [
      'support_requests (id, number, user_id, name, email, subject, message, created_at)',
      ...[support, randomInt(10_000_000, 100_000_000), userId, '', '', '', '', now],
    ],
    ['support_answers (id, request_id, text, created_at)', id(), support, '', now],
    [
      'join_tokens (id, kind, token_hash, label, max_claims, created_at, expires_at)',
      ...[invitation, 'creator_comp', randomBytes(32), 'Friends', 1, now, inAnHour],
    ],
    ['join_claims (user_id, token_id, claimed_at)', userId, invitation, now],
    [
      'auth_verifications (id, identifier, value, expires_at, created_at, updated_at)',
      ...[id(), `${newCanary()}-${userId}`, '', now, now, now],
    ],
    [
      'viewer_resume_codes (id, link_id, viewer_id, code_hash, expires_at, created_at)',
      ...[id(), things.link, things.viewerRow, code, inAnHour, now],
    ],
  ] as const;
  for (const [into, ...values] of rows)
    await readRows(app, `insert into ${into} values (${values.map((_, n) => `$${n + 1}`).join(', ')})`, values);
  await addReport(app, userId, now);
  await readRows(
    app,
    `insert into viewer_blocks (creator_id, viewer_id, at)
     select $1, viewer_id, $2 from viewer_sessions where creator_id <> $1 limit 1 on conflict do nothing`,
    [userId, now],
  );
}

/** An application with their id as its address, and that they came by it, which is void. */
async function addReferral(app: World['app'], userId: string, now: Date): Promise<void> {
  const partner = newId(now.getTime());
  await readRows(
    app,
    `insert into affiliates (id, email, name, audience, created_at) values ($1, $2, 'Jo', 'a newsletter', $3)`,
    [partner, userId, now],
  );
  await readRows(
    app,
    `insert into affiliate_referrals (id, affiliate_id, user_id, source, first_touch_at, signed_up_at, ends_at, void_at, void_reason)
     values ($1, $2, $3, 'link', $4, $4, $4, $4, 'spam')`,
    [newId(now.getTime()), partner, userId, now],
  );
}

/** A report of something of theirs, what they say about it, who looked at it, what was noted, and what they wrote to support once more. */
async function addReport(app: World['app'], userId: string, now: Date): Promise<void> {
  const report = newId(now.getTime());
  await readRows(
    app,
    `insert into reports (id, number, kind, state, creator_id, target, details, on_behalf, name, email, network, created_at, decide_by)
     values ($1, $2, 'other', 'received', $3, '', '', 'self', '', '', '', $4, $4)`,
    [report, randomInt(10_000_000, 100_000_000), userId, now],
  );
  await readRows(
    app,
    `insert into report_answers (id, report_id, creator_id, kind, text, name, postal_address, created_at, decide_by)
     values ($1, $2, $3, 'counter_notice', '', '', '', $4, $4)`,
    [newId(now.getTime()), report, userId, now],
  );
  await readRows(
    app,
    `insert into break_glasses (id, creator_id, report_id, reason, untold_because, opened_at, ends_at)
     values ($1, $2, $3, 'To decide.', 'A law.', $4, $4::timestamptz + interval '30 minutes')`,
    [newId(now.getTime()), userId, report, now],
  );
  await readRows(app, `insert into account_notes (id, user_id, text, created_at) values ($1, $2, 'Wrote.', $3)`, [
    newId(now.getTime()),
    userId,
    now,
  ]);
  await readRows(
    app,
    `insert into support_replies (id, request_id, text, created_at) select $1, id, '', $3 from support_requests where user_id = $2 limit 1`,
    [newId(now.getTime()), userId, now],
  );
}

/** Returns which rows are hers. */
const whereOf = (owner: string): string => {
  const viewers = 'select viewer_id from viewer_sessions where creator_id = $1';
  if (owner === 'viewer') return `id in (${viewers})`;
  if (owner === 'viewer_id') return `viewer_id in (${viewers})`;
  if (owner === 'guest') return 'id in (select token_id from join_claims where user_id = $1)';
  if (owner === 'asked') return 'request_id in (select id from support_requests where user_id = $1)';
  if (owner === 'applicant') return 'email = $1::text';
  if (owner === 'identifier') return `identifier like '%' || $1::text`;
  return `${owner} = $1`;
};

async function plantTexts(app: TestApp, { whose, person: { userId } }: Side): Promise<Canary[]> {
  const canaries: Canary[] = [];
  for (const [table, owner, columns] of planted)
    for (const [column, subscribers] of Object.entries(columns)) {
      const word = newCanary();
      const secret = column === 'email' ? `${word}@example.com` : word;
      const where = whereOf(owner).replaceAll('$1', '$2');
      const rows = await readRows(app, `update ${table} set ${column} = $1 where ${where} returning 1`, [
        secret,
        userId,
      ]);
      if (rows.length === 0) throw new Error(`There is no row of ${table} to plant a canary in.`);
      canaries.push({ place: `${table}.${column}`, of: whose, for: subscribers, secret });
      if (`${table}.${column}` === 'users.email')
        await readRows(app, 'update mail_outbox set recipient = $1 where user_id = $2', [secret, userId]);
    }
  return canaries;
}

/** A secret that stands in a column by itself, or in the values of its object. */
const secretsIn = (value: unknown): (string | Buffer)[] => {
  if (value === null || value === undefined) return [];
  if (Buffer.isBuffer(value)) return value.length >= 8 ? [value] : [];
  if (typeof value === 'object') return Object.values(value).flatMap(secretsIn);
  // In an object stand also words and numbers that are nobody's secret.
  return typeof value === 'string' && value.length >= 12 ? [value] : [];
};

async function readSecrets(app: TestApp, { whose, person: { userId } }: Side): Promise<Canary[]> {
  const canaries: Canary[] = [];
  for (const [table, owner, columns] of secrets)
    for (const [column, subscribers] of Object.entries(columns)) {
      const rows = await readRows(app, `select ${column} as value from ${table} where ${whereOf(owner)}`, [userId]);
      for (const secret of new Set(rows.flatMap(({ value }) => secretsIn(value))))
        canaries.push({ place: `${table}.${column}`, of: whose, for: subscribers, secret });
    }
  return canaries;
}

const hearsOf = (isNamed: boolean): Canary['for'] => (isNamed ? 'hers' : 'nobody');

/** Keys in the clear, and the seeds of her codewords. */
async function deriveKeys(app: TestApp, { whose, person: { userId }, things }: Side): Promise<Canary[]> {
  const idsOf = async (text: string, values: string[] = [userId]) =>
    (await readRows(app, text, values)).map(({ id }) => String(id));
  const media = await idsOf('select media_id as id from media_keys where creator_id = $1');
  const links = await idsOf('select id from magic_links where user_id = $1');
  const grants = await idsOf('select id from grants where creator_id = $1');
  const { link, viewerRow, trace } = things;
  const [named] = await idsOf('select id from link_viewers where link_id = $1 and viewer_id = $2', [link, viewerRow]);
  const { database, keys } = app.engines;
  return database.work({ kind: 'system' }, async (tx) => {
    const traceKey = await ensureTraceKey(tx, keys, userId);
    const canaryOf = (place: string, secret: Buffer | undefined, hears: Canary['for'] = 'nobody'): Canary[] =>
      secret === undefined ? [] : [{ place, of: whose, for: hears, secret }];
    const canaries = [
      ...canaryOf('trace key', traceKey),
      ...canaryOf('key of a leaked copy', await findTraceKey(tx, keys, trace)),
      // The seeds of what a trace names are in its evidence, for its creator alone.
      ...links.flatMap((id) => canaryOf('codeword of a link', linkSeed(traceKey, id), hearsOf(id === link))),
      ...grants.flatMap((id) => canaryOf('codeword of a grant', grantSeed(traceKey, id), hearsOf(id === named))),
    ];
    for (const id of media) canaries.push(...canaryOf('media key', await findMediaKey(tx, keys, id)));
    return canaries;
  });
}
