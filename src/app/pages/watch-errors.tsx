/*
 * Reports uncaught errors and unhandled rejections on public pages to the operator. The code that reports them is loaded when the
 * first one happens; it sends each error once, and only a few a page.
 */

async function loadAndReport(error: unknown, component: string): Promise<void> {
  try {
    await (await import('#features/support/report-error.tsx')).reportError(error, component);
  } catch {
    // The module could not be loaded, so the server is probably unreachable; its own log will tell why.
  }
}

addEventListener('error', ({ error, message }) => void loadAndReport(error ?? message, 'page'));
addEventListener('unhandledrejection', ({ reason }) => void loadAndReport(reason, 'promise'));
