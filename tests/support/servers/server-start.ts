import packageJson from '../../../package.json' with { type: 'json' };

/** How `npm start` starts the server: flags of Node, the file, and what stands in its environment. */
export const serverStart: {
  readonly flags: readonly string[];
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
} = packageJson.config.server;
