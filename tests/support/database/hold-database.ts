/**
 * A process of its own that holds the embedded database of a folder, for tests that kill it.
 * Says `ready {"isAlone":…}`. With `write` it then says every number whose insert was answered; with `job` it says
 * `began` when a job of the queue `slow` has begun that never ends.
 * @example node tests/support/database/hold-database.ts FOLDER MIGRATIONS [write|job]
 */
import { openDatabase } from '#engines/database/database.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';

const [dataDir = '', migrations = '', mode] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);
const database = await openDatabase({ dataDir, migrations, log: complain });
say(`ready ${JSON.stringify({ isAlone: database.isAlone })}`);
if (mode === 'write')
  for (let n = 1; ; n++) {
    await database.work({ kind: 'system' }, (tx) => tx.client.query('insert into acknowledged (n) values ($1)', [n]));
    say(String(n));
  }
if (mode === 'job') {
  const words = (_: object, text = '') => complain(text);
  const jobs = openJobs({ database, log: { info: words, warn: words, error: words } });
  jobs.handle('slow', async () => {
    say('began');
    await new Promise(() => undefined);
  });
  await jobs.start(true);
  await database.work({ kind: 'system' }, (tx) => jobs.send(tx, 'slow', { n: 1 }));
}
process.stdin.on('end', () => void database.close());
process.stdin.resume();
