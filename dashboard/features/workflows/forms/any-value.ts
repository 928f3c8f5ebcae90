// Typed text as a JSON value. Text that reads as a number, true, false, null, a list or an object becomes such a value.
// Quotation marks keep it as text. All other text is a string.

export type Read = { value: unknown; problem?: never } | { problem: string; value?: never }

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** Digits that a JavaScript number can always represent. Numbers with more digits stay text. */
const SAFE_DIGITS = 15
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
const TEMPLATE_BEGINS = /^\{\{/

function parsed(text: string): Read {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'This is not JSON yet: look for a missing comma, bracket or quotation mark' }
  }
}

/** @param typed the text of the field */
export function readAny(typed: string): Read {
  const text = typed.trim()
  if (Object.hasOwn(WORDS, text)) return { value: WORDS[text] }
  if (NUMBER.test(text) && text.replace(/\D/g, '').length <= SAFE_DIGITS) return { value: Number(text) }
  if (/^"[\s\S]*"$/.test(text)) {
    const quoted = parsed(text)
    return quoted.problem === undefined ? quoted : { value: typed }
  }
  return /^[[{]/.test(text) && !TEMPLATE_BEGINS.test(text) ? parsed(text) : { value: typed }
}

/** The text to type for a value; '' for undefined. */
export function anyAsText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  const read = readAny(value)
  return read.value === value ? value : JSON.stringify(value)
}
