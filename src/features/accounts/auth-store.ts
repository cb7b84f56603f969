import type { DBAdapter } from '@better-auth/core/db/adapter';
import type { BetterAuthOptions } from 'better-auth';
import { Kysely, PostgresDialect } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { newId } from '#kit/ids.ts';
import { hashPassword, isPassword } from './password.ts';

/** What the library's tables and their columns are called here. */
const ourTables = {
  user: {
    modelName: 'users',
    fields: {
      name: 'display_name',
      emailVerified: 'email_verified',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  session: {
    modelName: 'auth_sessions',
    fields: {
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    additionalFields: { country: { type: 'string', required: false, input: false } },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'auth_verifications',
    storeIdentifier: 'hashed',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} satisfies Partial<BetterAuthOptions>;

/**
 * The one way in which the auth library is used: its internal adapter makes sessions and credentials on our tables, inside our
 * own unit of work; they are read and ended by our own statements. None of its HTTP paths is mounted, so nothing of it (a token
 * spent by GET, a limit kept in memory) can be reached; its options still name our tables, cookies and hash. Codes of the
 * second factor are made by its arithmetic (`second-factor/totp.ts`).
 */
const optionsFor = ({ database, installation, secrets, clock }: Engines): BetterAuthOptions => ({
  appName: 'PrivateFans',
  baseURL: installation.publicUrl,
  basePath: '/api/auth',
  secret: secrets[0],
  database: {
    db: new Kysely({ dialect: new PostgresDialect({ pool: database.systemPool }) }),
    type: 'postgres',
    transaction: true,
  },
  emailAndPassword: {
    enabled: true,
    disableSignUp: true,
    minPasswordLength: 10,
    maxPasswordLength: 128,
    password: { hash: hashPassword, verify: ({ password, hash }) => isPassword(password, hash) },
  },
  ...ourTables,
  advanced: {
    cookiePrefix: 'pf',
    useSecureCookies: installation.isSecure,
    ipAddress: { disableIpTracking: true },
    database: { generateId: () => newId(clock()), validateSchema: false },
  },
  telemetry: { enabled: false },
  logger: { disabled: true },
});

async function openLibrary(engines: Engines) {
  // Loaded at the first sign-in: it costs a third of a second that no start has to wait for.
  const [{ betterAuth }, { getAdapter }, { runWithAdapter }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/db/adapter'),
    import('@better-auth/core/context'),
  ]);
  const options = optionsFor(engines);
  const adapter = await getAdapter(options);
  const auth = betterAuth({ ...options, database: () => adapter });
  const { internalAdapter } = await auth.$context;
  const adapters = new WeakMap<object, Promise<DBAdapter>>();
  const adapterOver = ({ db }: Tx) => {
    const known = adapters.get(db);
    if (known !== undefined) return known;
    const made = getAdapter({ ...options, database: { db, type: 'postgres', transaction: false } });
    adapters.set(db, made);
    return made;
  };
  return {
    auth,
    /** Runs the library's writes inside an open unit of work of the system. */
    async within<T>(tx: Tx, run: (internal: typeof internalAdapter) => Promise<T>): Promise<T> {
      return await runWithAdapter(await adapterOver(tx), () => run(internalAdapter));
    },
  };
}
type Library = Awaited<ReturnType<typeof openLibrary>>;

const libraries = new WeakMap<object, Promise<Library>>();

/** The auth library of this app, opened once. */
export function libraryOf(engines: Engines): Promise<Library> {
  const known = libraries.get(engines.database);
  if (known !== undefined) return known;
  const opened = openLibrary(engines);
  libraries.set(engines.database, opened);
  return opened;
}

/** Begins a session; its token is a credential only together with the signature (session.ts). */
export async function insertSession(
  engines: Engines,
  tx: Tx,
  session: { userId: string; userAgent: string; country: string | undefined; now: Date; expiresAt: Date },
): Promise<{ id: string; token: string }> {
  const { userId, userAgent, country, now, expiresAt } = session;
  const { within } = await libraryOf(engines);
  const times = { createdAt: now, updatedAt: now, expiresAt };
  const facts = { ipAddress: null, userAgent, country: country ?? null };
  const { id, token } = await within(tx, (internal) =>
    internal.createSession(userId, false, { ...facts, ...times }, true),
  );
  return { id, token };
}

/** Stores a person's password, the first or another one. */
export async function writePassword(engines: Engines, tx: Tx, userId: string, hash: string): Promise<void> {
  const { within } = await libraryOf(engines);
  await within(tx, async (internal) => {
    const known = await internal.findCredentialAccount(userId);
    if (known) await internal.updatePassword(userId, hash);
    else await internal.linkAccount({ userId, providerId: 'credential', accountId: userId, password: hash });
  });
}
