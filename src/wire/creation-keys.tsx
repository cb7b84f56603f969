/**
 * Keys of wishes whose answer has not come. The same request again – a second tap, a retry after a lost answer, another tab, a
 * page that was loaded again – goes with the same key, and the server makes it once.
 */
const prefix = 'creating:';
/** After that the same words are a request of their own: two links for two people may be alike in everything. */
const sameRequestMs = 120_000;

interface Kept {
  key: string;
  at: number;
}

/** What this tab keeps to itself. */
const own = new Map<string, Kept>();

/** A request as a short text that tells nothing of it; undefined for one with a password, which no other tab needs to know of. */
async function nameOf(params: string): Promise<string | undefined> {
  if (params.includes('"password":')) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(params)));
  return prefix + btoa(String.fromCharCode(...hash.subarray(0, 15)));
}

function readKept(name: string): Kept | undefined {
  try {
    const { key, at } = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept;
    return { key, at };
  } catch {
    return undefined; // nothing there, or a browser that keeps nothing
  }
}

function keep(name: string, kept: Kept | undefined): void {
  try {
    if (kept === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the tab remembers.
  }
}

/** The key for a request: the one it went with before, when no answer has come to that, else a new one. */
export async function keyOf(params: string): Promise<string> {
  const name = await nameOf(params);
  const at = Date.now();
  const known = own.get(params) ?? (name === undefined ? undefined : readKept(name));
  const isFresh = known !== undefined && at - known.at < sameRequestMs && at >= known.at;
  const kept = isFresh ? known : { key: crypto.randomUUID(), at };
  own.set(params, kept);
  if (name !== undefined) keep(name, kept);
  return kept.key;
}

/** The answer has come, whatever it was: the same words again are a new request. */
export async function forgetKey(params: string): Promise<void> {
  own.delete(params);
  const name = await nameOf(params);
  if (name !== undefined) keep(name, undefined);
}
