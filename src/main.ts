import path from 'node:path';
import { readConfig } from '#app/config.ts';
import { openLog } from '#app/log.ts';
import { findMistyped } from '#app/needed-settings.mjs';
import { runApp } from '#app/run-app.ts';
import { stopInTime } from '#app/stopping.ts';

const root = path.resolve(import.meta.dirname, '..');
try {
  const config = readConfig(process.env);
  for (const line of findMistyped(process.env)) console.error(line);
  const app = await runApp(config, openLog(config.LOG_LEVEL ?? (config.isSandbox ? 'warn' : 'info')), root);
  console.log(app.greeting);
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    void stopInTime(app.close, () => process.exit(0), console.error);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  await app.seed(console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
