// Parses texts with {{templates}} for forms: positions, paths and insertions. Only the service evaluates templates.

/** Quoted texts may contain braces. */
const TEMPLATE = /\{\{((?:'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|(?!\}\})[\s\S])*)\}\}/g
const ONLY_TEMPLATE = new RegExp(`^${TEMPLATE.source}$`)

export const hasTemplate = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('{{')

export interface Range {
  start: number
  end: number
}

export interface Edit {
  text: string
  /** Position of the caret after the edit. */
  caret: number
}

export interface FoundTemplate extends Range {
  /** The text between the braces. */
  inner: string
}

export const templatesIn = (text: string): FoundTemplate[] =>
  [...text.matchAll(TEMPLATE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match[1] ?? '',
  }))

/** The text between the braces if the whole text is a single template. */
export const onlyTemplate = (text: string): string | undefined => ONLY_TEMPLATE.exec(text)?.[1]

/** Opening braces right before the caret, with the text typed after them. */
const OPENED = /\{\{\s*[\w.]*$/

/** Position of the `{{` before the caret, which opens the list of values; undefined: there is none. */
export function openedAt(text: string, caret: number): number | undefined {
  const isInside = templatesIn(text).some(({ start, end }) => start < caret && caret < end)
  return isInside ? undefined : OPENED.exec(text.slice(0, caret))?.index
}

const replaced = (text: string, { start, end }: Range, by: string): Edit => ({
  text: text.slice(0, start) + by + text.slice(end),
  caret: start + by.length,
})

/** The functions of a template, from the first `|`. */
function callsOf(inner: string): string {
  const at = inner.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, (quoted) => '_'.repeat(quoted.length))
  const bar = at.indexOf('|')
  return bar < 0 ? '' : ` ${inner.slice(bar).trim()}`
}

/** The path that a template reads, without functions: `trigger.data.name`. */
export function readBy(inner: string): string {
  const calls = callsOf(inner)
  return (calls === '' ? inner : inner.slice(0, inner.lastIndexOf(calls.trim()))).trim()
}

/** The names of the functions of a template, in order. */
export const callNames = (inner: string): string[] =>
  callsOf(inner)
    .split('|')
    .flatMap((call) => /^\s*([A-Za-z]+)/.exec(call)?.[1] ?? [])

/** Removes opening braces right before the caret. */
export function withoutOpened(text: string, caret: number): Edit | undefined {
  const start = openedAt(text, caret)
  return start === undefined ? undefined : replaced(text, { start, end: caret }, '')
}

/**
 * Inserts a value. Replaces the selection, just opened braces, or the path of the template around the caret.
 * @param expression such as `trigger.data.name`
 */
export function insertValue(text: string, { start, end }: Range, expression: string): Edit {
  const around = templatesIn(text).find((one) => one.start < start && end < one.end)
  if (around) return replaced(text, around, `{{${expression}${callsOf(around.inner)}}}`)
  const opened = start === end ? openedAt(text, start) : undefined
  return replaced(text, { start: opened ?? start, end }, `{{${expression}}}`)
}

/** The template to which a function is added: the last one that begins before the caret, else the first. */
export const templateBefore = (text: string, caret: number): FoundTemplate | undefined =>
  templatesIn(text).findLast(({ start }) => start < caret) ?? templatesIn(text)[0]

/** @param call such as `addDays 14` @returns undefined if there is no template */
export function insertCall(text: string, caret: number, call: string): Edit | undefined {
  const template = templateBefore(text, caret)
  return template && replaced(text, template, `{{${template.inner.trim()} | ${call}}}`)
}

export type Segment = string | number

const PATH = /^\s*([A-Za-z_][\w-]*)((?:\.[\w-]+|\[(?:\d+|'[^']*'|"[^"]*")\])*)\s*(?:\||$)/
const SEGMENT = /\.([\w-]+)|\[(?:(\d+)|'([^']*)'|"([^"]*)")\]/g

/** The path that an expression reads; undefined for literals and invalid expressions. */
export function pathOf(inner: string): Segment[] | undefined {
  const [, root, rest = ''] = PATH.exec(inner) ?? []
  if (root === undefined) return undefined
  const others = [...rest.matchAll(SEGMENT)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  )
  return [root, ...others]
}

export const hasCalls = (inner: string): boolean => callsOf(inner) !== ''

/** The path of a member in template notation. */
export function memberOf(expression: string, name: Segment): string {
  if (typeof name === 'number') return `${expression}[${name}]`
  return /^[\w-]+$/.test(name) ? `${expression}.${name}` : `${expression}['${name}']`
}
