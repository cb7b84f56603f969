/*
 * Hears what goes wrong in a public page without anybody having caught it. What tells the operator of it, each error once and few
 * of a page, is loaded when there is something to tell.
 */

async function report(error: unknown, component: string): Promise<void> {
  try {
    await (await import('#features/support/report-error.tsx')).reportError(error, component);
  } catch {
    // It did not come: the server is away, and its own log knows better.
  }
}

addEventListener('error', ({ error, message }) => void report(error ?? message, 'page'));
addEventListener('unhandledrejection', ({ reason }) => void report(reason, 'promise'));
