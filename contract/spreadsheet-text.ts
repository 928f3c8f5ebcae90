// Spreadsheets run a cell as a formula if it begins with certain signs, also after spaces and invisible characters.
// Some spreadsheets split texts at semicolons and line feeds, so text after these can also become a formula. Exports
// write an apostrophe before each such position, so that spreadsheets show text. Imports remove the apostrophe.
const SIGN = '[=+\\-@＝＋－＠]'
/** The start of a cell with its spaces. Matching forward from here reads each character only a few times. */
const PLACE = '(^|[;\\t\\r\\n])([\\p{Zs}\\p{Cf}]*)'
const FORMULAS = new RegExp(`${PLACE}('*)(?=${SIGN})`, 'gu')
const ESCAPES = new RegExp(`${PLACE}'('*)(?=${SIGN})`, 'gu')

/** Numbers, amounts, dates and phone numbers are not escaped, so that spreadsheets recognize them. */
const NUMBER_LIKE = /^[+-]?[\d .,()/-]*(?: [A-Z]{3})?$/

/** Adds an apostrophe also after existing ones, so that removing one always restores the text. */
export function escapeFormula(text: string): string {
  if (NUMBER_LIKE.test(text)) return text
  const escaped = text.replace(FORMULAS, "$1$2'$3")
  return /^'*[\t\r]/.test(text) ? `'${escaped}` : escaped
}

export const unescapeFormula = (text: string): string =>
  (/^'+[\t\r]/.test(text) ? text.slice(1) : text).replace(ESCAPES, '$1$2$3')
