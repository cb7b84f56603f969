const offline = 'No connection. Please try again.';
const noCookie = 'Your browser blocks cookies for this site. Allow them, or open this page in another browser.';

/** What a call that asks where to pay came to. */
type Answer = { json?: { url?: string | null; message?: string } };

async function ask(procedure: string, params: object): Promise<Answer> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const answer = await fetch(`/rpc/viewing/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
    body: JSON.stringify({ json: { ...params, timeZone } }),
  });
  return (await answer.json()) as Answer;
}

/**
 * Goes where it is paid. A browser that is not known yet gets its cookie first, and asks once more.
 * @param onBack hears when somebody comes back by the browser's own button, and finds the page as it was left
 * @returns what to say where it did not work; nothing while the other page is coming
 */
export async function payOnPage(procedure: string, params: object, onBack: () => void): Promise<string | undefined> {
  try {
    let { json } = await ask(procedure, params);
    if (json?.url === null) ({ json } = await ask(procedure, params));
    if (json?.url === null) return noCookie;
    if (json?.url === undefined) return json?.message ?? offline;
    addEventListener('pageshow', onBack, { once: true });
    location.assign(json.url);
    return undefined;
  } catch {
    return offline;
  }
}
