import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { as, findAccount } from '#engines/database/account.ts';
import { findFreePort } from '../servers/server-process.ts';

/** A PostgreSQL server that is not the embedded one. */
export interface OutsidePostgres {
  /** Of a user who may make roles and databases. */
  url: string;
  close(): Promise<void>;
}

/** Folder with the programs of the newest PostgreSQL (15 or later) that Debian installed, if any. */
export function findDebianPostgres(above = '/usr/lib/postgresql'): string | undefined {
  const versions = existsSync(above) ? readdirSync(above).map(Number) : [];
  const [newest] = versions.filter((version) => version >= 15).toSorted((a, b) => b - a);
  const bin = path.join(above, String(newest), 'bin');
  return newest !== undefined && existsSync(path.join(bin, 'initdb')) ? bin : undefined;
}

/** Why the tests that need a server of somebody else are left out. */
export const noOutsidePostgres = 'no PostgreSQL under /usr/lib/postgresql and no TEST_DATABASE_URL';

/**
 * The server of TEST_DATABASE_URL, or Debian's own one booted in a new folder under `folder`.
 * @returns undefined when there is neither
 */
export async function openOutsidePostgres(folder: string): Promise<OutsidePostgres | undefined> {
  const url = process.env.TEST_DATABASE_URL;
  if (url !== undefined) return { url, close: async () => undefined };
  const bin = findDebianPostgres();
  return bin === undefined ? undefined : bootPostgres(bin, folder);
}

const word = 'plain';

interface RunningPostgres extends OutsidePostgres {
  port: number;
  kill(): Promise<void>;
}

/** Boots a server with a password, over TCP, as an unprivileged user. */
async function bootPostgres(bin: string, folder: string): Promise<RunningPostgres> {
  const home = makeHome(folder, 'pg');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, word, { mode: 0o644 });
  const made = ['-U', 'owner', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--no-sync'];
  runProgram(bin, home, 'initdb', ['-D', path.join(home, 'data'), ...made]);
  return serve(bin, home, await findFreePort());
}

/** A folder for one cluster, of the account that its server runs as. */
function makeHome(folder: string, name: string): string {
  const home = path.join(folder, name);
  mkdirSync(home);
  const account = findAccount(home);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid);
  return home;
}

const optionsIn = (home: string) => ({
  ...as(findAccount(home)),
  cwd: home,
  env: { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: word },
});

const runProgram = (bin: string, home: string, program: string, args: string[]) =>
  execFileSync(path.join(bin, program), args, { ...optionsIn(home), stdio: 'ignore' });

function serve(bin: string, home: string, port: number): RunningPostgres {
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=${home}`, 'fsync=off'];
  const args = ['-D', path.join(home, 'data'), ...settings.flatMap((one) => ['-c', one])];
  const server = spawn(path.join(bin, 'postgres'), args, { ...optionsIn(home), stdio: 'ignore' });
  const gone = new Promise((done) => server.once('exit', done));
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    server.kill(signal);
    await gone;
  };
  const url = `postgres://owner:${word}@127.0.0.1:${port}/postgres`;
  return { url, port, close: () => end('SIGINT'), kill: () => end('SIGQUIT') };
}

/** A server and its copy, which holds every write before it is acknowledged. */
export interface PostgresPair {
  primary: { url: string; port: number };
  standby: { url: string; port: number };
  /** Ends the primary as `pg_ctl stop -m immediate` does: nothing is finished, nothing written down. */
  killPrimary(): Promise<void>;
  /** Makes the standby the one that is written to. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** Boots Debian's PostgreSQL twice, the second following the first, synchronously. */
export async function openPostgresPair(bin: string, folder: string): Promise<PostgresPair> {
  const primary = await bootPostgres(bin, folder);
  await askOutside(primary.url, 'select 1');
  const home = makeHome(folder, 'standby');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'owner'];
  runProgram(bin, home, 'pg_basebackup', [...from, '-D', path.join(home, 'data'), '-R', '-X', 'stream', '-c', 'fast']);
  const standby = serve(bin, home, await findFreePort());
  await askOutside(standby.url, 'select 1');
  await askOutside(
    primary.url,
    `alter system set synchronous_standby_names = '*'`,
    'select pg_reload_conf()',
    // Only once it follows; or the next write would wait for nobody.
    'create table follows ()',
  );
  return {
    primary,
    standby,
    killPrimary: () => primary.kill(),
    async promote() {
      await askOutside(standby.url, 'select pg_promote()');
    },
    async close() {
      await Promise.all([primary.close(), standby.close()]);
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client(url);
    client.on('error', () => undefined); // what is under way fails with it
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 200) throw error;
      await wait(100);
    }
  }
}

/** Runs statements one after the other, as soon as the server is up. @returns the rows of the last */
export async function askOutside(url: string, ...texts: string[]): Promise<Record<string, string>[]> {
  const client = await connect(url);
  try {
    let rows: Record<string, string>[] = [];
    for (const text of texts) rows = (await client.query(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const ourRoles = ['app_user', 'app_system'];

/** A new user of a server, who owns what the tests make there, and nothing else. */
export interface OutsideOwner {
  url: string;
  /** Takes the user away again, and every database of theirs. */
  remove(): Promise<void>;
}

/** Makes an owner who is no superuser, as an operator would have it: a superuser would stand above row-level security. */
export async function makeOutsideOwner(server: string): Promise<OutsideOwner> {
  const [name, word] = [`pf_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
  // Roles belong to the whole server, and who makes them gives them on: the given user, whatever run it is.
  const known = await askOutside(server, `select rolname from pg_roles where rolname in ('${ourRoles.join("','")}')`);
  for (const role of ourRoles.filter((wanted) => known.every(({ rolname }) => rolname !== wanted)))
    await askOutside(server, `create role ${role} nologin nobypassrls`);
  await askOutside(
    server,
    `create role ${name} login createrole createdb password '${word}'`,
    `grant ${ourRoles.join(', ')} to ${name} with admin option`,
  );
  const url = new URL(server);
  Object.assign(url, { username: name, password: word });
  return {
    url: url.href,
    async remove() {
      const owned = await askOutside(
        server,
        `select datname from pg_database where pg_get_userbyid(datdba) = '${name}' order by 1`,
      );
      for (const { datname } of owned) await askOutside(url.href, `drop database ${datname} with (force)`);
      await askOutside(server, `revoke ${ourRoles.join(', ')} from ${name} cascade`, `drop role ${name}`);
    },
  };
}

/** Makes a database of the owner's; copied from `template` when there is one. @returns its address */
export async function makeOutsideDatabase(owner: string, name: string, template?: string): Promise<string> {
  await askOutside(owner, `create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const url = new URL(owner);
  url.pathname = `/${name}`;
  return url.href;
}
