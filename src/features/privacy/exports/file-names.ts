const mostBytes = 180;
/** Control characters, what turns the direction of a text, and what one system or another keeps for itself. */
const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\\/:*?"<>|]/gu;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Makes a name that every system takes for that of one file in one folder, as close to the given one as that goes. */
export function safeName(name: string): string {
  const plain = name.slice(0, 2000).toWellFormed().normalize('NFC').replace(unsafe, '_').trim().replace(/^\.+/, '_');
  const [stem, extension] = splitName(cutEnd(plain));
  const kept = cutTo(stem, mostBytes - Buffer.byteLength(extension));
  const whole = `${kept === '' ? 'file' : kept}${extension}`;
  return reserved.test(whole) ? `_${whole}` : whole;
}

/** Returns what gives each name once: a second one gets a number, and large and small letters make no difference. */
export function openNames(): (name: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  const take = (name: string) => {
    const key = name.toLowerCase();
    if (given.has(key)) return false;
    given.add(key);
    return true;
  };
  return (name) => {
    const safe = safeName(name);
    if (take(safe)) return safe;
    const [stem, extension] = splitName(safe);
    const key = safe.toLowerCase();
    for (let number = counts.get(key) ?? 2; ; number++) {
      const numbered = `${stem} (${number})${extension}`;
      if (!take(numbered)) continue;
      counts.set(key, number + 1);
      return numbered;
    }
  };
}

/** Splits a name before its last dot, when what follows is short enough to be the kind of a file. */
function splitName(name: string): [string, string] {
  const at = name.lastIndexOf('.');
  return at > 0 && name.length - at <= 10 ? [name.slice(0, at), name.slice(at)] : [name, ''];
}

/** Cuts off the dots and spaces at the end, letter by letter: a pattern would begin again at each of them. */
function cutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

function cutTo(text: string, bytes: number): string {
  let [kept, size] = ['', 0];
  for (const letter of text) {
    size += Buffer.byteLength(letter);
    if (size > bytes) break;
    kept += letter;
  }
  return kept;
}
