/**
 * Calls a procedure from a page that comes without the client of the studio. What was sent reaches the server when the page is left
 * at once, too.
 * @param address its room and name
 */
export const callFromPage = (address: string, input: object): Promise<Response> =>
  fetch(`/rpc/${address}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
    body: JSON.stringify({ json: input }),
  });

export const callMarketing = (
  procedure: 'noteVisits' | 'forgetVisits' | 'recordDemoEvent',
  input: object,
): Promise<Response> => callFromPage(`marketing/${procedure}`, input);
