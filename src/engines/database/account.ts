import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The unprivileged account that runs PostgreSQL when we are root; without numbers when we are not. */
export interface Account {
  uid?: number;
  gid?: number;
  name: string;
}

/** Spawn options that drop to the account. */
export function as({ uid, gid }: Account): { uid?: number; gid?: number } {
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

/**
 * Returns who runs the server: PostgreSQL refuses to be root, so root takes the owner of the cluster, `postgres`, or `nobody`.
 * @param data folder of the cluster, if there is one yet
 * @throws when the cluster belongs to somebody we cannot be
 */
export function findAccount(data: string): Account {
  const owner = ownerOf(data);
  if (process.getuid?.() !== 0) {
    if (owner === undefined || owner.uid === process.getuid?.()) return { name: 'this user' };
    throw new Error(
      `The database in ${data} belongs to another user (number ${owner.uid}). Start as that user or as root.`,
    );
  }
  if (owner !== undefined && owner.uid !== 0) return { ...owner, name: nameOf(owner.uid) };
  for (const name of ['postgres', 'nobody'])
    try {
      return { uid: Number(askId('-u', name)), gid: Number(askId('-g', name)), name };
    } catch {
      // `id` fails for an unknown account: the next one is asked
    }
  throw new Error(
    'PostgreSQL cannot run as root and this system has neither "postgres" nor "nobody". Start as another user or set DATABASE_URL.',
  );
}

const askId = (flag: string, user: string) =>
  execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns whether the system knows a name for a user's number: containers often run as one that has none. */
export function hasName(uid: number): boolean {
  try {
    return askId('-nu', String(uid)) !== '';
  } catch {
    return false; // `id` fails for a number without a name
  }
}

function nameOf(uid: number): string {
  try {
    return askId('-nu', String(uid));
  } catch {
    return `user number ${uid}`;
  }
}

function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  const { uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}
