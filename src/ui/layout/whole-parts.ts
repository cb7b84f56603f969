const longest = 20;

/**
 * A line of parts, "Opened 12× · last 2h ago · 13 min 02 s", that breaks between its parts only: no short part is torn, and a dot
 * stays with what comes before it, so that no line begins with one.
 */
export function wholeParts(line: string): string {
  const parts = line.split(' · ');
  if (parts.length === 1) return line;
  return parts.map((part) => (part.length <= longest ? part.replaceAll(' ', '\u00a0') : part)).join('\u00a0· ');
}
