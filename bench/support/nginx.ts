import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** Where nginx is, if this machine has it. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, 'nginx')).find((file) => existsSync(file));
}

const configOf = (folder: string, port: number) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  default_type application/octet-stream;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}; }
}`;

/** Starts nginx with one file of this size; undefined where there is no nginx. */
export async function startNginx(sizeBytes: number) {
  const file = findNginx();
  if (file === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-nginx-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  writeFileSync(path.join(folder, 'file'), Buffer.alloc(sizeBytes, 7));
  writeFileSync(path.join(folder, 'nginx.conf'), configOf(folder, port));
  const child = spawn(file, ['-p', folder, '-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/file`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) break;
    if (tries === 500 || child.exitCode !== null) throw new Error('nginx does not start.');
    await wait(20);
  }
  return {
    url,
    pid: child.pid ?? 0,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
