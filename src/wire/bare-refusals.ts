/**
 * A refusal that was made before any procedure was reached – too many at once, the wrong address – in the form in which the
 * pages' calls read theirs: its sentence is shown like every other one.
 */
export async function readBareRefusal(response: Response): Promise<Response> {
  if (response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isRefusal(said)) return response;
  const { code, message, data } = said;
  const { status, headers } = response;
  return new Response(JSON.stringify({ json: { defined: false, code, status, message, data } }), {
    status,
    headers: { 'content-type': headers.get('content-type') ?? 'application/json' },
  });
}

const isRefusal = (said: unknown): said is { code: string; message: string; data?: unknown } => {
  const { code, message } = (said ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string';
};
