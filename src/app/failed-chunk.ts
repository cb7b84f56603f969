const patterns = [
  /failed to fetch dynamically imported module/i,
  /error loading dynamically imported module/i,
  /importing a module script failed/i,
  /unable to preload css/i,
];

/** Whether a part of the program could not be fetched: after a deploy the old parts are gone. */
export function isFailedChunk(error: unknown): boolean {
  return error instanceof Error && patterns.some((pattern) => pattern.test(error.message));
}

/** One reload is worth a try, a second would only go round in circles. */
export const reloadMark = 'pf-reloaded-for';
