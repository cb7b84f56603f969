/**
 * A process of its own that holds the embedded database of a folder and writes numbers into it, for tests that kill it.
 * Says `ready {"isAlone":…}` and then every number whose commit was answered.
 * @example node tests/support/hold-database.ts FOLDER MIGRATIONS [write]
 */
import { openDatabase } from '#engines/database/database.ts';

const [dataDir = '', migrations = '', mode] = process.argv.slice(2);
const database = await openDatabase({ dataDir, migrations, log: (line) => process.stderr.write(`${line}\n`) });
process.stdout.write(`ready ${JSON.stringify({ isAlone: database.isAlone })}\n`);
if (mode === 'write')
  for (let n = 1; ; n++) {
    await database.work({ kind: 'system' }, (tx) => tx.client.query('insert into acknowledged (n) values ($1)', [n]));
    process.stdout.write(`${n}\n`);
  }
process.stdin.on('end', () => void database.close());
process.stdin.resume();
