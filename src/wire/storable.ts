/** Deeper than anything that is asked for here, and far less deep than what makes a walk fall over. */
const deepest = 64;

/**
 * Returns whether a value from outside can be kept at all: PostgreSQL has no letter 0, half a letter is none, and nobody nests so
 * deep. Walks without recursion, because the depth is the stranger's.
 */
export function isStorable(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest || !level.every(isStorableText)) return false;
    const below: unknown[] = [];
    for (const one of level) gather(one, below);
    level = below;
  }
  return true;
}

/** Adds what is in a value. A list has no names to look at, and may be half a million long; bytes are no text. */
function gather(one: unknown, into: unknown[]): void {
  if (ArrayBuffer.isView(one)) return;
  if (Array.isArray(one)) for (const each of one) into.push(each);
  else if (typeof one === 'object' && one !== null)
    for (const [name, each] of Object.entries(one)) into.push(name, each);
}

const isStorableText = (one: unknown) => typeof one !== 'string' || (one.isWellFormed() && !one.includes('\0'));

const [quote, backslash, list, listEnd, object, objectEnd] = Array.from('"\\[]{}', (sign) => sign.charCodeAt(0));

/** Returns whether a JSON text nests deeper than anything that is kept; told before it is parsed, which costs far more. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isInText && sign === backslash) at++;
    else if (sign === quote) isInText = !isInText;
    else if (!isInText && (sign === list || sign === object) && ++depth > deepest) return true;
    else if (!isInText && (sign === listEnd || sign === objectEnd)) depth--;
  }
  return false;
}
