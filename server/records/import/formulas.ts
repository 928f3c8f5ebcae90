// Spreadsheets take a cell that begins in certain ways for a formula and run it when the file is opened. Exports
// for people put an apostrophe before such texts, which spreadsheets show as text; imports take it away again.
const FORMULA = /^'*[=+\-@\t\r]/
const ESCAPED = /^'+[=+\-@\t\r]/

/** One apostrophe more also where there were some, so that taking one away gives back every text. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text)
