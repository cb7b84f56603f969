/** src/app/rooms.ts with the room's answers in the router; nothing when it has no such router. */
export function addToRouter(text: string, room: string): string | undefined {
  const router = /(export const router = \{[^}]*?),?(\s*\};)/;
  if (!router.test(text)) return undefined;
  const wired = text.replace(router, `$1, ${room}: ${room}Api$2`);
  return `import { ${room}Api } from '#features/${room}/api.ts';\n${wired}`;
}

/** src/app/routes.ts with the room's page before the catch-all; nothing when it has none. */
export function addPage(text: string, room: string): string | undefined {
  const catchAll = /(route\('\*',)/;
  if (!catchAll.test(text)) return undefined;
  return text.replace(catchAll, `route('/${room}', '../features/${room}/${room}-page.tsx'), $1`);
}
