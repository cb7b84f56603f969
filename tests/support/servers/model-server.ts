import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a language model was asked. */
export interface ModelCall {
  path: string;
  authorization: string | undefined;
  body: { model: string; max_completion_tokens: number; messages: { role: string; content: string }[] };
}

export interface ModelServer {
  /** As `ASSISTANT_URL` names it. */
  url: string;
  received: ModelCall[];
  close(): Promise<void>;
}

/** What it does with a question: the text of its answer, a status, a broken body, or nothing at all. */
export type Reply = string | { status: number } | { raw: string } | 'silence';

/** A server that speaks the chat protocol of OpenAI. @param reply to each question */
export async function openModelServer(reply: (call: ModelCall) => Reply): Promise<ModelServer> {
  const received: ModelCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call: ModelCall = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
    received.push(call);
    const said = reply(call);
    if (said === 'silence') return;
    response.setHeader('content-type', 'application/json');
    if (typeof said === 'object' && 'status' in said)
      return response.writeHead(said.status).end('{"error":{"message":"no"}}');
    if (typeof said === 'object') return response.end(said.raw);
    const message = { role: 'assistant', content: said };
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: call.body.model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
