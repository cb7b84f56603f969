/**
 * Calls a procedure of `marketing` from a page that comes without the client of the studio. What was sent reaches the server when
 * the page is left at once, too.
 */
export const callMarketing = (
  procedure: 'noteVisits' | 'forgetVisits' | 'recordDemoEvent',
  input: object,
): Promise<Response> =>
  fetch(`/rpc/marketing/${procedure}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
    body: JSON.stringify({ json: input }),
  });
