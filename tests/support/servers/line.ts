import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';

/** A line to PostgreSQL over which everything goes, and which can be cut, refused or silent. */
export interface Line {
  /** What becomes of new connections, and of what is said on all; the connections that stand stay until they are cut. */
  state: 'open' | 'refused' | 'silent';
  /** Ends every connection that goes over the line. */
  cut(): void;
  close(): void;
}

const socketName = '.s.PGSQL.5432';

/** Lays a line from a folder to the socket in another; the first one is a host for whoever connects. */
export async function openLine(folder: string, socketFolder: string): Promise<Line> {
  const joints = new Set<{ near: Socket; far: Socket }>();
  const server = createServer((near) => {
    if (line.state === 'refused') return void near.destroy();
    const far = createConnection(path.join(socketFolder, socketName));
    const joint = { near, far };
    joints.add(joint);
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => line.state !== 'silent' && onto.write(bytes));
      from.on('error', () => undefined); // its end is told by `close`
      from.on('close', () => {
        onto.destroy();
        joints.delete(joint);
      });
    }
  });
  const line: Line = {
    state: 'open',
    cut() {
      for (const { near, far } of joints) {
        near.destroy();
        far.destroy();
      }
    },
    close: () => void server.close(),
  };
  await new Promise<void>((done) => server.listen(path.join(folder, socketName), done));
  return line;
}
