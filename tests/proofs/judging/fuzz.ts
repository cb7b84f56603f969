import type { Heard } from '../asking/driver.ts';
import type { FuzzedRequest } from '../asking/fuzzed-requests.ts';
import { canaries } from '../asking/owners.ts';

/** What is wrong with the answers of a proof. */
export interface Found {
  serverErrors: string[];
  speechless: string[];
  undeclared: string[];
  leaks: string[];
  statuses: Map<number, number>;
}

/** Refusals that any door may give before it knows whom it speaks for. */
const common = new Set([
  'VALIDATION',
  'NOT_FOUND',
  'CSRF',
  'CSRF_TOKEN_MISMATCH',
  'FILE_TOO_BIG',
  'UNSUPPORTED_MEDIA',
  'METHOD_NOT_SUPPORTED',
]);

/** The code and the sentence of a refusal, whichever door said it. */
function refusalIn(text: string): { code: string | undefined; words: string | undefined } {
  const body = JSON.parse(text);
  const { code, message, title } = body.json ?? body;
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { code: textOf(code), words: textOf(message) ?? textOf(title) };
}

/** Nothing, before anything was sent. */
export const nothingFound = (): Found => ({
  serverErrors: [],
  speechless: [],
  undeclared: [],
  leaks: [],
  statuses: new Map(),
});

/** What is wrong with an answer, if anything is. */
export function judge(
  request: FuzzedRequest,
  { status, headers, bytes, text }: Heard,
  who: string,
  found: Found,
): void {
  const { method, path } = request;
  const body = bytes.toString();
  const cell = `${who} ${method} ${path.slice(0, 300)} ${request.body?.slice(0, 300) ?? ''}: ${status} ${body.slice(0, 200)}`;
  found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1);
  // Of a busy machine; the mean of it is told at the end.
  if (status === 503 || status === 408) return;
  if (status >= 500) found.serverErrors.push(cell);
  if (text.includes(canaries.A) || (who !== 'creator B' && text.includes(canaries.B))) found.leaks.push(cell);
  if (status < 400 || status >= 500 || method === 'HEAD') return;
  if (headers.get('content-type')?.startsWith('application/json')) judgeRefusal(request, body, cell, found);
  else if (!path.startsWith('/files') && !isPage(path, body)) found.speechless.push(cell);
}

/** What people are shown themselves: its refusals are pages, too. */
const isPage = (path: string, body: string) =>
  (path.startsWith('/@') && body.includes('Oops! Page not found')) ||
  (path.startsWith('/sandbox/') && body.includes('This payment is over')) ||
  (path.startsWith('/unsubscribe/') && body.includes('This link is incomplete')) ||
  (path.startsWith('/share-target') && body.includes('Nothing was shared'));

/** What is wrong with a refusal: it says nothing to people, or a code that its contract does not promise. */
function judgeRefusal({ codes }: FuzzedRequest, text: string, cell: string, found: Found): void {
  const { code, words } = refusalIn(text);
  if (code === undefined || words === undefined) found.speechless.push(cell);
  else if (codes?.has(code) === false && !common.has(code)) found.undeclared.push(cell);
}
