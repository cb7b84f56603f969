/** Returns a text as an address; undefined when it is none. Browsers of 2023 do not know `URL.canParse`. */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
