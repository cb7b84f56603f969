const patterns = [
  /failed to fetch dynamically imported module/i,
  /error loading dynamically imported module/i,
  /importing a module script failed/i,
  /unable to preload css/i,
];

/** Returns whether a part of the program could not be fetched: after a deploy the old parts are gone. */
export function isFailedChunk(error: unknown): boolean {
  return error instanceof Error && patterns.some((pattern) => pattern.test(error.message));
}

/** What the tab remembers: the build whose missing part it was reloaded for. */
const reloadMark = 'pf-reloaded-for';

/**
 * Returns whether a missing part is worth a reload, and remembers that it was tried: once for each build, a second one would only go
 * round in circles, whichever part is missing then.
 * @param marks where the tab remembers; private windows may refuse it, and then nothing is reloaded by itself
 */
export function takeReload(marks: () => Pick<Storage, 'getItem' | 'setItem'>, build: string): boolean {
  try {
    if (marks().getItem(reloadMark) === build) return false;
    marks().setItem(reloadMark, build);
    return true;
  } catch {
    return false;
  }
}
