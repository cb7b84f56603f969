import { reactRouter } from '@react-router/dev/vite';
import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  server: { host: '127.0.0.1', port: 3000, strictPort: true },
  plugins: [process.env.VITEST ? undefined : [tailwind(), reactRouter()]],
});
