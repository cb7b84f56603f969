import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a walled child may see besides the system's libraries. */
export interface Room {
  /** The one folder it may write. */
  writable: string;
  /** Files and folders it may read: Node, the code, the packages, its inputs. */
  readable: readonly string[];
  /** Folders that stay empty for it even where they lie inside something readable. */
  hidden: readonly string[];
}

/** What stands between a child that decodes foreign bytes and everything else. */
export interface Wall {
  name: 'bwrap' | 'unshare -rn' | 'unshare -n' | 'none';
  /** The child's own user: neither root nor the database's. Without it, it runs as we do. */
  userId: number | undefined;
  /** What it keeps out, for the log and the operator. */
  words: string;
  /** Everything of the command line that stands before the path of Node. */
  wrap(room: Room): string[];
}

/** The kernel's own limits on one child, by util-linux `prlimit`. */
export interface Limits {
  /** Writable private memory; Node and WebAssembly reserve some 700 MB of it that they never touch. */
  dataBytes: number;
  fileBytes: number;
  cpuSeconds: number;
}

/**
 * A file system of our own making: the system's programs and libraries and the room, all read-only but the room's folder; no
 * network, no other process, no way to a socket or file elsewhere.
 */
export function bubblewrap(userId: number | undefined): Wall {
  return {
    name: 'bwrap',
    userId,
    words: 'bubblewrap: own file system, no network, no other processes',
    wrap: (room) => [
      ...['bwrap', '--die-with-parent', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
      ...['--unshare-cgroup-try', '--cap-drop', 'ALL'],
      ...(userId === undefined ? [] : ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']),
      ...['--ro-bind', '/usr', '/usr', '--dir', '/etc', '--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
      // Where a library has several makers, Debian's name for it leads through here.
      ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
      ...['/bin', '/lib', '/lib32', '/lib64', '/nix/store'].flatMap(systemFolder),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...parentsOf([...room.readable, room.writable]).flatMap((folder) => ['--dir', folder]),
      ...room.readable.flatMap((path) => ['--ro-bind', path, path]),
      ...room.hidden
        .filter((path) => liesWithin(path, ['/usr', ...room.readable]))
        .flatMap((path) => ['--tmpfs', path]),
      ...['--bind', room.writable, room.writable, '--remount-ro', '/', '--chdir', room.writable, '--'],
      ...asUser(userId),
    ],
  };
}

/** No network; files are kept away by the user alone. `mapped` makes the namespace without being root. */
export function unshared(mapped: boolean, userId: number | undefined): Wall {
  const user = userId === undefined ? 'the files of our own user lie open' : 'a user of its own';
  return {
    name: mapped ? 'unshare -rn' : 'unshare -n',
    userId,
    words: `unshare: no network, ${user}`,
    // With a mapping the user changes first, else it would be root's files that the mapped child may read.
    wrap: () => (mapped ? [...asUser(userId), 'unshare', '-rn', '--'] : ['unshare', '-n', '--', ...asUser(userId)]),
  };
}

/** Returns the wall of a system that offers none: the child is only a process of its own, with an empty environment. */
export function unwalled(userId: number | undefined): Wall {
  const user = userId === undefined ? '' : ' but a user of its own';
  const cure = process.platform === 'linux' ? ' (install bubblewrap)' : '';
  return { name: 'none', userId, words: `none${user}${cure}`, wrap: () => asUser(userId) };
}

/** Puts the kernel's limits around a command. */
export function limited({ dataBytes, fileBytes, cpuSeconds }: Limits): string[] {
  return [
    'prlimit',
    `--data=${dataBytes}`,
    `--fsize=${fileBytes}`,
    `--cpu=${cpuSeconds}`,
    '--nofile=256',
    '--core=0',
    '--',
  ];
}

function asUser(userId: number | undefined): string[] {
  if (userId === undefined) return [];
  const user = [`--reuid=${userId}`, `--regid=${userId}`, '--clear-groups', '--no-new-privs'];
  // A program that nobody waits for any more, because we were killed, would go on to its end.
  return ['setpriv', ...user, '--pdeathsig', 'KILL', '--'];
}

/** A folder of the system as it stands here: on most systems /lib is only a name for /usr/lib. */
function systemFolder(path: string): string[] {
  const kind = lstatSync(path, { throwIfNoEntry: false });
  if (!kind) return [];
  return kind.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** Every folder above the given paths, outermost first; bubblewrap would make them for its own user only. */
function parentsOf(paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) parents.add(folder);
  return [...parents].filter((folder) => !liesWithin(folder, ['/usr'])).sort((a, b) => a.length - b.length);
}

function liesWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
