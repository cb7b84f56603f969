const name = 'pf.left-at';

/** Returns since when nothing of the app is in sight in this browser, as long as the server has not been told. */
export function readOwed(): number | undefined {
  try {
    const since = Number(localStorage.getItem(name) ?? Number.NaN);
    return Number.isFinite(since) ? since : undefined;
  } catch {
    return undefined; // storage is denied
  }
}

/** Keeps it, or forgets it. */
export function writeOwed(since: number | undefined): void {
  try {
    if (since === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, String(since));
  } catch {
    // Storage is denied: the page itself still knows.
  }
}
