import { grantSeed, linkSeed } from '#features/media/codeword.ts';
import { ensureTraceKey, findMediaKey } from '#features/media/keys-store.ts';
import { findTraceKey } from '#features/tracing/store.ts';
import { newId } from '#kit/ids.ts';
import { pass, readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { planted, secrets } from './canary-columns.ts';
import { type Canary, newCanary } from './canary-search.ts';
import { makeWorld, type World } from './matrix-world.ts';
import { finishTrace } from './raw-things.ts';

/** Where A and her viewer live; documentation addresses (RFC 5737), which nobody has. */
export const addresses = { A: '198.51.100.177', viewerOfA: '203.0.113.145' } as const;

/** The matrix's world with a canary in every private place of both creators. */
export interface CanaryWorld extends World {
  canaries: Canary[];
  /** A link of A that no viewer has: a password, a list of people, a name and a note. */
  otherSlug: string;
}

type Whose = Canary['of'];

export async function openCanaryWorld(app: TestApp): Promise<CanaryWorld> {
  const world = await makeWorld(app);
  standAt(world);
  const otherSlug = await makeOtherLink(world);
  for (const whose of ['A', 'B'] as const) await addRows(world, whose);
  for (const whose of ['A', 'B'] as const) await finishTrace(world, whose);
  const canaries: Canary[] = [];
  for (const whose of ['A', 'B'] as const) {
    canaries.push(...(await plantTexts(world, whose)));
    canaries.push(...(await readSecrets(world, whose)), ...(await deriveKeys(world, whose)));
  }
  for (const [who, secret] of Object.entries(addresses))
    canaries.push({ place: `address of ${who}`, of: 'A', for: 'nobody', secret });
  for (const secret of world.viewerOfA.cookies.values())
    canaries.push({ place: 'cookie of a viewer', of: 'A', for: 'viewers', secret });
  canaries.push({ place: 'master key', of: 'A', for: 'nobody', secret: app.engines.keys.current.key });
  pass(app, 1000);
  return { ...world, canaries, otherSlug };
}

const sideOf = (world: World, whose: Whose) => (whose === 'A' ? world.a : world.b);
const run = (app: TestApp, text: string, values: unknown[]) => readRows(app, text, values);

/** From now on A and her viewer come from addresses that stand nowhere else. */
function standAt({ a, viewerOfA }: World): void {
  for (const [browser, address] of [
    [a.person.browser, addresses.A],
    [viewerOfA, addresses.viewerOfA],
  ] as const)
    Object.assign(browser, { address, headers: { ...browser.headers, 'x-forwarded-for': address } });
}

async function makeOtherLink({ app, a }: World): Promise<string> {
  const input = {
    albumIds: [a.things.album],
    linkName: 'Another',
    recipientName: 'Carl',
    note: 'For Carl',
    password: newCanary(),
    isLaxConfirmed: true,
  };
  const { body } = await app.call('links.create', input, a.person.browser);
  const policy = `policy || jsonb_build_object('email', jsonb_build_object('verify', true, 'allow', jsonb_build_array($2::text)))`;
  const allowed = `${newCanary()}@example.com`;
  await run(app, `update magic_links set policy = ${policy} where id = $1`, [body.id, allowed]);
  await run(app, `update link_policy_log set policy = ${policy} where link_id = $1`, [body.id, allowed]);
  return body.slug;
}

/** Rows of places that nothing in the drill writes by itself. */
async function addRows(world: World, whose: Whose): Promise<void> {
  const { app } = world;
  const { person, things } = sideOf(world, whose);
  const now = new Date(app.engines.clock());
  const id = () => newId(now.getTime());
  const { userId } = person;
  await app.call('insights.renameViewer', { viewerId: things.viewer, name: 'Somebody' }, person.browser);
  const note = JSON.stringify({ note: newCanary() });
  await run(
    app,
    `insert into audit_log (at, actor_type, actor_id, action, details) values ($1, 'admin', $2, 'drill.noted', $3)`,
    [now, userId, note],
  );
  await run(
    app,
    `insert into error_logs (id, user_id, component, error_message, created_at) values ($1, $2, 'drill', '', $3)`,
    [id(), userId, now],
  );
  await run(
    app,
    `insert into lead_captures (id, user_id, email, source, utm, created_at) values ($1, $2, '', 'signup_form', $3, $4)`,
    [id(), userId, note, now],
  );
  await run(
    app,
    `insert into auth_verifications (id, identifier, value, expires_at, created_at, updated_at) values ($1, $2, '', $3, $3, $3)`,
    [id(), `${newCanary()}-${userId}`, now],
  );
  await run(
    app,
    `insert into viewer_resume_codes (id, link_id, viewer_id, code_hash, expires_at, created_at) values ($1, $2, $3, decode($4, 'hex'), $5, $6)`,
    [
      id(),
      things.link,
      things.viewer,
      'c5'.repeat(31) + (whose === 'A' ? '0a' : '0b'),
      new Date(now.getTime() + 3_600_000),
      now,
    ],
  );
  await run(
    app,
    `insert into viewer_blocks (creator_id, viewer_id, at)
     select $1, viewer_id, $2 from viewer_sessions where creator_id <> $1 limit 1 on conflict do nothing`,
    [userId, now],
  );
}

/** Which rows are hers. */
const whereOf = (owner: string): string => {
  const viewers = 'select viewer_id from viewer_sessions where creator_id = $1';
  if (owner === 'viewer') return `id in (${viewers})`;
  if (owner === 'viewer_id') return `viewer_id in (${viewers})`;
  if (owner === 'identifier') return `identifier like '%' || $1::text`;
  return `${owner} = $1`;
};

async function plantTexts(world: World, whose: Whose): Promise<Canary[]> {
  const { app } = world;
  const { userId } = sideOf(world, whose).person;
  const canaries: Canary[] = [];
  for (const [table, owner, columns] of planted)
    for (const [column, hearers] of Object.entries(columns)) {
      const word = newCanary();
      const secret = column === 'email' ? `${word}@example.com` : word;
      const where = whereOf(owner).replaceAll('$1', '$2');
      const rows = await run(app, `update ${table} set ${column} = $1 where ${where} returning 1`, [secret, userId]);
      if (rows.length === 0) throw new Error(`There is no row of ${table} to plant a canary in.`);
      canaries.push({ place: `${table}.${column}`, of: whose, for: hearers, secret });
      if (`${table}.${column}` === 'users.email')
        await run(app, 'update mail_outbox set recipient = $1 where user_id = $2', [secret, userId]);
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

async function readSecrets(world: World, whose: Whose): Promise<Canary[]> {
  const { userId } = sideOf(world, whose).person;
  const canaries: Canary[] = [];
  for (const [table, owner, columns] of secrets)
    for (const [column, hearers] of Object.entries(columns)) {
      const rows = await run(world.app, `select ${column} as value from ${table} where ${whereOf(owner)}`, [userId]);
      for (const secret of new Set(rows.flatMap(({ value }) => secretsIn(value))))
        canaries.push({ place: `${table}.${column}`, of: whose, for: hearers, secret });
    }
  return canaries;
}

/** Keys in the clear, and the seeds of her codewords. */
async function deriveKeys(world: World, whose: Whose): Promise<Canary[]> {
  const { engines } = world.app;
  const { person, things } = sideOf(world, whose);
  const { userId } = person;
  const media = await run(world.app, 'select media_id as id from media_keys where creator_id = $1', [userId]);
  const links = await run(world.app, 'select id from magic_links where user_id = $1', [userId]);
  const grants = await run(world.app, 'select id from grants where creator_id = $1', [userId]);
  return engines.database.work({ kind: 'system' }, async (tx) => {
    const traceKey = await ensureTraceKey(tx, engines.keys, userId);
    const named = (place: string, secret: Buffer | undefined): Canary[] =>
      secret === undefined ? [] : [{ place, of: whose, for: 'nobody', secret }];
    const canaries = named('trace key', traceKey);
    for (const { id } of media) canaries.push(...named('media key', await findMediaKey(tx, engines.keys, String(id))));
    canaries.push(...named('key of a leaked copy', await findTraceKey(tx, engines.keys, things.trace)));
    // The seeds of what a trace names are in its evidence, for its creator alone.
    for (const { id } of links)
      canaries.push(...named('codeword of a link', linkSeed(traceKey, String(id))).map(hersIf(id === things.link)));
    const [named_] = await tx.client
      .query('select id from link_viewers where link_id = $1 and viewer_id = $2', [things.link, things.viewer])
      .then(({ rows }) => rows);
    for (const { id } of grants)
      canaries.push(...named('codeword of a grant', grantSeed(traceKey, String(id))).map(hersIf(id === named_?.id)));
    return canaries;
  });
}
const hersIf =
  (isHers: boolean) =>
  (canary: Canary): Canary =>
    isHers ? { ...canary, for: 'hers' } : canary;
