/** src/app/rooms.ts with the room's answers in the router; nothing when it has no such router. */
export function addToRouter(text: string, room: string): string | undefined {
  const router = /(export const router = \{[^}]*?),?(\s*\};)/;
  if (!router.test(text)) return undefined;
  const wired = text.replace(router, `$1, ${room}: ${room}Api$2`);
  return `import { ${room}Api } from '#features/${room}/api.ts';\n${wired}`;
}

/** src/app/routes.ts with the room's page as the last in the studio's frame; nothing when it has no such frame. */
export function addPage(text: string, room: string): string | undefined {
  const frame = text.indexOf("layout('pages/studio-page.tsx', [");
  const end = frame === -1 ? -1 : closingOf(text, text.indexOf('[', frame));
  if (end === -1) return undefined;
  const before = text.slice(0, end).replace(/,?\s*$/, ',');
  return `${before} route('/${room}', '../features/${room}/${room}-page.tsx')${text.slice(end)}`;
}

/** Returns where the square bracket at `open` is closed. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '[') depth++;
    if (text[at] === ']' && --depth === 0) return at;
  }
  return -1;
}
