/** A cell as every table program reads it; one that begins like a formula is text, whoever chose the name in it. */
function cell(value: string | number): string {
  const text = String(value);
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets take a file that does not begin with it for one in the letters of their own country. */
export const byteOrderMark = '\uFEFF';

/** One line of a table (RFC 4180). */
export const writeLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
