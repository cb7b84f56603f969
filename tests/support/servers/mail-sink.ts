import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What a mail server was told in one conversation. */
interface Conversation {
  from: string;
  to: string[];
  data: string;
}

/** A mail server that keeps what it is told. */
export interface MailSink {
  /** As `SMTP_URL` names it. */
  url: string;
  received: Conversation[];
  close(): Promise<void>;
}

/** @param answers replace its answer to a command; `.` is the end of an email */
export async function openMailSink(answers: Record<string, string> = {}): Promise<MailSink> {
  const received: Conversation[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    listenTo(socket, received, answers);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** As much of RFC 5321 as an email needs. */
function listenTo(socket: Socket, received: Conversation[], answers: Record<string, string>): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let talk: Conversation = { from: '', to: [], data: '' };
  let isData = false;
  const hearData = (line: string) => {
    if (line !== '.') {
      talk.data += `${line}\n`;
      return;
    }
    isData = false;
    if (answers['.'] === undefined) received.push(talk);
    talk = { from: '', to: [], data: '' };
    say(answers['.'] ?? '250 ok');
  };
  const hearCommand = (line: string) => {
    const command = (line.split(/[ :]/)[0] ?? '').toUpperCase();
    if (command === 'MAIL') talk.from = line;
    if (command === 'RCPT') talk.to.push(line);
    isData = command === 'DATA';
    say(answers[command] ?? (isData ? '354 go on' : '250 ok'));
  };
  say('220 sink');
  socket.on('error', () => undefined);
  createInterface({ input: socket }).on('line', (line) => (isData ? hearData(line) : hearCommand(line)));
}
