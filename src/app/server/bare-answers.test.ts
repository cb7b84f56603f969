import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseBare } from './bare-answers.ts';

let server: Server;
let answers: ServerResponse[];
let lines: Socket[];

beforeEach(async () => {
  [answers, lines] = [[], []];
  server = createServer((_request, response) => void answers.push(response));
  server.on('clientError', (error, socket) => refuseBare({ isSecure: false }, error, socket as Socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const line of lines) line.destroy();
  server.close();
});

/** A line to the server. @returns what comes over it until it is closed */
function call(): { line: Socket; received: Promise<string> } {
  const line = connect((server.address() as AddressInfo).port, '127.0.0.1');
  lines.push(line);
  let text = '';
  line.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  line.on('error', () => undefined);
  return { line, received: once(line, 'close').then(() => text) };
}

describe('what is no request', () => {
  it('is refused in one piece, with the headers of the app', async () => {
    const { line, received } = call();
    line.write('GARBAGE\r\n\r\n');
    const text = await received;
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('x-content-type-options: nosniff');
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({ code: 'VALIDATION', message: 'Malformed input' });
  });

  it('hears so also when it goes on and on', async () => {
    const { line, received } = call();
    line.write(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(2e6)}`);
    expect(await received).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  });

  it('is not answered into another answer that is on its way: that one is cut', async () => {
    const { line, received } = call();
    line.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => answers.length).toBe(1);
    answers[0]?.writeHead(200, { 'content-length': '1000' });
    answers[0]?.write('the first half');
    line.write('GARBAGE\r\n\r\n');
    const text = await received;
    expect(text).toContain('the first half');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
