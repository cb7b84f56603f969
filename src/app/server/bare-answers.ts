import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { headersOf } from './headers.ts';

/** A refusal in one piece for the bare line, with the headers of the app: what is said here no hook sees. */
export function bareAnswer(installation: { isSecure: boolean }, status: number, code: string, message: string): string {
  const body = JSON.stringify({ code, message });
  const headers = {
    ...headersOf(installation),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** What is cut at the very moment of the answer may reset the line before the answer is read. */
export const lingerMs = 1000;

/** Whether an answer is on its way on this line, into which nothing may be written; Node's own handler asks the same. */
export const isAnswering = (socket: Socket): boolean =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

/** Lines that have their answer: whatever else comes over them is read and forgotten. */
const answered = new WeakSet<Socket>();

/** Refuses what never became a request: a head that is too long, and what is no HTTP. */
export function refuseBare(installation: { isSecure: boolean }, error: NodeJS.ErrnoException, socket: Socket): void {
  if (answered.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy(error);
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  endWith(socket, bareAnswer(installation, status, 'VALIDATION', 'Malformed input'));
}

/**
 * Refuses a head that does not come to its end. A connection over which nothing has come is closed without a word: a browser that
 * opened it beforehand would take the refusal for the answer to what it is about to ask.
 */
export function refuseLate(installation: { isSecure: boolean }, socket: Socket, hasBegun: boolean): void {
  if (answered.has(socket)) return;
  if (!hasBegun) return void socket.destroySoon();
  if (!socket.writable || isAnswering(socket)) return void socket.destroy();
  endWith(socket, bareAnswer(installation, 408, 'TOO_SLOW', 'The request was too slow. Please try again.'));
}

function endWith(socket: Socket, answer: string): void {
  answered.add(socket);
  socket.end(answer);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
