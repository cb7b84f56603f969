import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { as, findAccount } from '#engines/database/account.ts';
import { findFreePort } from './server-process.ts';

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

/** Boots a server with a password, over TCP, as an unprivileged user. */
async function bootPostgres(bin: string, folder: string): Promise<OutsidePostgres> {
  const [home, word, port] = [path.join(folder, 'pg'), 'plain', await findFreePort()];
  const data = path.join(home, 'data');
  mkdirSync(home);
  const account = findAccount(home);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid);
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, word, { mode: 0o644 });
  const options = { ...as(account), cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const made = ['-D', data, '-U', 'owner', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--no-sync'];
  execFileSync(path.join(bin, 'initdb'), made, { ...options, stdio: 'ignore' });
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=${home}`, 'fsync=off'];
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...options,
    stdio: 'ignore',
  });
  const gone = new Promise((done) => server.once('exit', done));
  return {
    url: `postgres://owner:${word}@127.0.0.1:${port}/postgres`,
    async close() {
      server.kill('SIGINT');
      await gone;
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
