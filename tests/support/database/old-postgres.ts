import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);
const text = (value: string) => Buffer.from(`${value}\0`);
const ready = message('Z', Buffer.from('I'));

/** A column of a row's description: text form, of a type by its number. */
const column = (name: string, type: number) =>
  Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1 & 65_535), int32(-1), int16(0)]);
const value = (of: string) => Buffer.concat([int32(Buffer.byteLength(of)), Buffer.from(of)]);

/** Speaks the protocol as far as being asked for the version: https://www.postgresql.org/docs/current/protocol-message-formats.html. */
function answer(socket: Socket, number: number, words: string): void {
  const row = [
    message('T', int16(2), column('number', 23), column('words', 25)),
    message('D', int16(2), value(String(number)), value(words)),
    message('C', text('SELECT 1')),
  ];
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', int32(0)), ready]));
    socket.on('data', ([type]: Buffer) => {
      if (type === 'Q'.charCodeAt(0)) socket.write(Buffer.concat([...row, ready]));
      else socket.end();
    });
  });
  socket.on('error', () => undefined); // whoever has heard enough hangs up
}

/** A server that says of itself to be of a version which nobody has installed here. */
export async function openOldPostgres(number: number, words: string): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => answer(socket, number, words)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `postgres://pf@127.0.0.1:${address.port}/pf`, close: () => void server.close() };
}
