// Texts with {{templates}}, as far as a form needs to understand them: where one is, what it reads, and how another
// comes in. The service decides what they mean.

/** Quoted texts may hold braces. */
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
  /** Where one goes on writing. */
  caret: number
}

export interface FoundTemplate extends Range {
  /** What is between the braces. */
  inner: string
}

export const templatesIn = (text: string): FoundTemplate[] =>
  [...text.matchAll(TEMPLATE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match[1] ?? '',
  }))

/** What is between the braces when the text is one template and nothing else. */
export const onlyTemplate = (text: string): string | undefined => ONLY_TEMPLATE.exec(text)?.[1]

/** Braces that were opened right before the caret, with what was typed behind them. */
const OPENED = /\{\{\s*[\w.]*$/

/** Where the way into the list of values was typed; undefined: the caret is not behind `{{`. */
export function openedAt(text: string, caret: number): number | undefined {
  const isInside = templatesIn(text).some(({ start, end }) => start < caret && caret < end)
  return isInside ? undefined : OPENED.exec(text.slice(0, caret))?.index
}

const replaced = (text: string, { start, end }: Range, by: string): Edit => ({
  text: text.slice(0, start) + by + text.slice(end),
  caret: start + by.length,
})

/** The functions of a template, from the first `|` on. */
function callsOf(inner: string): string {
  const at = inner.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, (quoted) => '_'.repeat(quoted.length))
  const bar = at.indexOf('|')
  return bar < 0 ? '' : ` ${inner.slice(bar).trim()}`
}

/** What a template reads, without its functions: `trigger.data.name`. */
export function readBy(inner: string): string {
  const calls = callsOf(inner)
  return (calls === '' ? inner : inner.slice(0, inner.lastIndexOf(calls.trim()))).trim()
}

/** The names of the functions behind it, in their order. */
export const callNames = (inner: string): string[] =>
  callsOf(inner)
    .split('|')
    .flatMap((call) => /^\s*([A-Za-z]+)/.exec(call)?.[1] ?? [])

/** Braces that were opened right before the caret are taken away again. */
export function withoutOpened(text: string, caret: number): Edit | undefined {
  const start = openedAt(text, caret)
  return start === undefined ? undefined : replaced(text, { start, end: caret }, '')
}

/**
 * A value comes in: in place of what is selected, of braces just opened, or of what the template around the caret
 * reads. @param expression such as `trigger.data.name`
 */
export function insertValue(text: string, { start, end }: Range, expression: string): Edit {
  const around = templatesIn(text).find((one) => one.start < start && end < one.end)
  if (around) return replaced(text, around, `{{${expression}${callsOf(around.inner)}}}`)
  const opened = start === end ? openedAt(text, start) : undefined
  return replaced(text, { start: opened ?? start, end }, `{{${expression}}}`)
}

/** The template that a function would be added to: around the caret, right before it, or the last before it. */
export const templateBefore = (text: string, caret: number): FoundTemplate | undefined =>
  templatesIn(text).findLast(({ start }) => start < caret) ?? templatesIn(text)[0]

/** @param call such as `addDays 14` @returns undefined when there is no template to add it to */
export function insertCall(text: string, caret: number, call: string): Edit | undefined {
  const template = templateBefore(text, caret)
  return template && replaced(text, template, `{{${template.inner.trim()} | ${call}}}`)
}

export type Segment = string | number

const PATH = /^\s*([A-Za-z_][\w-]*)((?:\.[\w-]+|\[(?:\d+|'[^']*'|"[^"]*")\])*)\s*(?:\||$)/
const SEGMENT = /\.([\w-]+)|\[(?:(\d+)|'([^']*)'|"([^"]*)")\]/g

/** The path that an expression reads; undefined for a literal or what cannot be read. */
export function pathOf(inner: string): Segment[] | undefined {
  const [, root, rest = ''] = PATH.exec(inner) ?? []
  if (root === undefined) return undefined
  const others = [...rest.matchAll(SEGMENT)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  )
  return [root, ...others]
}

export const hasCalls = (inner: string): boolean => callsOf(inner) !== ''

/** The way to a member, as templates write it. */
export function memberOf(expression: string, name: Segment): string {
  if (typeof name === 'number') return `${expression}[${name}]`
  return /^[\w-]+$/.test(name) ? `${expression}.${name}` : `${expression}['${name}']`
}
