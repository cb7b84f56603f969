/** The most files that the root of a room holds, its tests not counted: it is a face, which people read at a glance. */
export const mostInRoot = 30;

/** What may stand for longer than the rule, and is listed until it ends. */
export interface KnownRoots {
  /** The most that the root of a room may hold which holds too much. */
  large: Readonly<Record<string, number>>;
  /** Files of a root that have the noun of a folder beside them. */
  sameNoun: readonly string[];
}

const nounOf = (name: string): string => name.replace(/\.tsx?$/, '').replace(/s$/, '');

/**
 * Finds roots of rooms that hold too much, and files there that have the noun of a folder beside them: which one is the face?
 * @param files paths from the root of the repository
 */
export function findRootFaults(files: readonly string[], known: KnownRoots): string[] {
  const parts = files
    .filter((file) => /^src\/features\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => file.split('/').slice(2));
  const rooms = [...new Set(parts.map(([room = '']) => room))].toSorted();
  return rooms.flatMap((room) => {
    const own = parts.filter(([name]) => name === room);
    const inRoot = own.filter(({ length }) => length === 2).map(([, file = '']) => file);
    const folders = new Set(own.filter(({ length }) => length > 2).map(([, folder = '']) => nounOf(folder)));
    const doubled = inRoot.filter((file) => folders.has(nounOf(file))).map((file) => `${room}/${file}`);
    return [...judgeSize(room, inRoot.length, known.large[room]), ...judgeNouns(room, doubled, known.sameNoun)];
  });
}

function judgeSize(room: string, count: number, known: number | undefined): string[] {
  const most = known ?? mostInRoot;
  if (count > most) return [`src/features/${room} has ${count} files in its root, ${most} at most`];
  if (known !== undefined && count <= mostInRoot)
    return [`src/features/${room} has no more than ${mostInRoot} files in its root by now: take it off the list`];
  return [];
}

function judgeNouns(room: string, doubled: readonly string[], known: readonly string[]): string[] {
  const gone = known.filter((file) => file.startsWith(`${room}/`) && !doubled.includes(file));
  return [
    ...doubled
      .filter((file) => !known.includes(file))
      .map((file) => `src/features/${file} has the noun of a folder beside it: name one of them for what it does`),
    ...gone.map((file) => `src/features/${file} is named well by now: take it off the list`),
  ];
}
