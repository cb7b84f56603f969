import { ORPCError } from '@orpc/client';
import { callsOf } from '#wire/client.ts';
import { supportContract } from './contract.ts';

const support = callsOf('support', supportContract);

/** A page that fails over and over tells it this often, and each error once. */
const mostReports = 10;
const reported = new Set<string>();

/** What a browser says of itself, what the person cancelled, and what only the connection is to blame for. */
const noFault =
  /ResizeObserver loop|^Script error\.?$|AbortError|Failed to fetch|Check your connection|Load failed|NetworkError|dynamically imported module/;

/** A control by what it is and how it is called. */
export interface Pressed {
  kind: 'button' | 'link' | 'menu item' | 'switch';
  name: string;
}

/**
 * Tells the operator of an error that a page met.
 * @param pressed just before; the server keeps it if it is called so in the sources
 * @returns whether it was told now, so that the person can be told, too
 */
export async function reportError(error: unknown, component: string, pressed?: Pressed): Promise<boolean> {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (reported.size >= mostReports || reported.has(message) || noFault.test(message)) return false;
  reported.add(message);
  const requestId =
    error instanceof ORPCError ? (error.data as { requestId?: string } | undefined)?.requestId : undefined;
  try {
    const { isKept } = await support.logError.call({
      component,
      ...(pressed && { pressed }),
      message: message.slice(0, 4000),
      ...(error instanceof Error && error.stack !== undefined && { stack: error.stack.slice(0, 20_000) }),
      url: location.pathname.slice(0, 2000),
      ...(requestId !== undefined && { requestId }),
    });
    return isKept;
  } catch {
    return false; // The server is away: its own log knows better.
  }
}
