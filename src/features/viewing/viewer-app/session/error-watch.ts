/** A page that fails over and over tells it this often, and each error once. */
const mostReported = 5;
const reported = new Set<string>();

/** What a browser says of itself, and what only the connection is to blame for. */
const noFault =
  /ResizeObserver loop|^Script error\.?$|AbortError|Failed to fetch|Load failed|NetworkError|dynamically imported module/;

/** Tells the operator of an error that the viewer's page met; the address is told without the link's slug. */
function report(error: unknown): void {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (reported.size >= mostReported || reported.has(message) || noFault.test(message)) return;
  reported.add(message);
  const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack.slice(0, 20_000) } : {};
  const body = JSON.stringify({ component: 'viewer', message: message.slice(0, 4000), url: '/view', ...stack });
  const headers = { 'content-type': 'application/json', 'x-csrf-token': 'orpc' };
  fetch('/api/v1/error-logs', { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
}

/** Hears what goes wrong in the viewer's page without anybody having caught it. */
export function watchErrors(): void {
  addEventListener('error', ({ error, message }) => report(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => report(reason));
}
