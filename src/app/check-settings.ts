import { readConfig } from './config.ts';

/** Whether the environment is one that the product starts with; `npm start` asks before it builds. */
try {
  readConfig(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
