// Spreadsheets take a cell that begins in certain ways for a formula and run it when the file is opened. Where
// semicolons separate cells they split texts there, and at line feeds too, so what follows these can be a formula as
// well. They leave out spaces and invisible characters before a sign. CSV files have an apostrophe before each such
// place, which spreadsheets show as text; imports take it away.
const SIGN = '[=+\\-@＝＋－＠]'
/** Searched from a place forward, so that each character is looked at a few times, however many spaces there are. */
const PLACE = '(^|[;\\t\\r\\n])([\\p{Zs}\\p{Cf}]*)'
const FORMULAS = new RegExp(`${PLACE}('*)(?=${SIGN})`, 'gu')
const ESCAPES = new RegExp(`${PLACE}'('*)(?=${SIGN})`, 'gu')

/** Numbers, amounts, days and phone numbers: spreadsheets shall take them for what they are. */
const NUMBER_LIKE = /^[+-]?[\d .,()/-]*(?: [A-Z]{3})?$/

/** One apostrophe more also where there were some, so that taking one away gives back every text. */
export function escapeFormula(text: string): string {
  if (NUMBER_LIKE.test(text)) return text
  const escaped = text.replace(FORMULAS, "$1$2'$3")
  return /^'*[\t\r]/.test(text) ? `'${escaped}` : escaped
}

export const unescapeFormula = (text: string): string =>
  (/^'+[\t\r]/.test(text) ? text.slice(1) : text).replace(ESCAPES, '$1$2$3')
