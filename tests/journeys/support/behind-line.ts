import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '#engines/database/database.ts';
import { type Line, openLine } from '../../support/servers/line.ts';
import { findFreePort, makeDataDir, spawnServer } from '../../support/servers/server-process.ts';
import { type JourneyApp, openAppOn } from './app.ts';

/** An installation whose database is somebody else's, at the end of a line that can be taken away. */
export interface AppBehindLine extends JourneyApp {
  line: Line;
  close(): Promise<void>;
}

/** Opens it; the server itself is the one of `npm start`. */
export async function openAppBehindLine(): Promise<AppBehindLine> {
  const [dataDir, databaseDir] = [makeDataDir('pf-journey-'), makeDataDir('pf-journey-database-')];
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-line-'));
  const database = await openDatabase({ dataDir: databaseDir, migrations: null, log: () => undefined });
  const line = await openLine(folder, String(database.connection.host));
  const environment = {
    DATABASE_URL: `postgres://pf@localhost/pf?host=${encodeURIComponent(folder)}`,
    PF_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PF_SECRET: randomBytes(32).toString('base64'),
  };
  const port = await findFreePort();
  const start = async () => {
    const server = spawnServer({ port, dataDir, environment });
    await server.untilUp();
    return server;
  };
  let server = await start();
  const app = await openAppOn({
    url: server.url,
    dataDir,
    async killAndRestart() {
      await server.end('SIGKILL');
      server = await start();
    },
    seed: () => Promise.reject(new Error('Nobody needs more than the demo here.')),
    operate: () => Promise.reject(new Error('Nobody operates it here.')),
    async close() {
      await server.end('SIGTERM');
      line.cut();
      line.close();
      await database.close();
      for (const each of [dataDir, databaseDir, folder]) rmSync(each, { recursive: true, force: true });
    },
  });
  return { ...app, line };
}
