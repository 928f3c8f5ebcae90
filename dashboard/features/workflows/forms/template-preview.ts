// A preview of a text with templates, based on example values.
import { counted } from '../../../../contract/counted.ts'
import { isId } from '../canvas/value-words.ts'
import { hasCalls, onlyTemplate, pathOf, type Segment, templatesIn } from './template-text.ts'

export interface Preview {
  text: string
  /** functions: shown without applying functions; unknown: reads a step that was not tested yet. */
  lacks?: 'functions' | 'unknown'
}

/** Example values for templates. `steps` contains only tested steps. */
export type Scope = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Record<Segment, unknown> =>
  typeof value === 'object' && value !== null

/** @returns undefined if the path does not exist */
export const lookUp = (scope: unknown, path: readonly Segment[]): unknown =>
  path.reduce<unknown>(
    (at, segment) => (isObject(at) && Object.hasOwn(at, segment) ? at[segment] : undefined),
    scope,
  )

const SHOWN_MAX = 300
const cut = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)

/** A value on a single line; '' for ids. */
export function shortText(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'string') return isId(value) ? '' : cut(value)
  if (typeof value !== 'object') return String(value)
  const { amount, currency, firstName, lastName } = value as Record<string, unknown>
  if (amount !== undefined && currency !== undefined) return `${amount} ${currency}`
  if (firstName !== undefined || lastName !== undefined)
    return [firstName, lastName].filter(Boolean).join(' ')
  if (Array.isArray(value) && !value.some(isObject)) return cut(value.map(shortText).join(', '))
  return Array.isArray(value) ? `${value.length} in a list` : counted(Object.keys(value).length, 'value')
}

interface Part {
  text: string
  lacks: Preview['lacks']
  /** Set for ids, which have no meaning for users. */
  isHidden?: true
}

/** Roots whose values exist only in a run. */
const AT_RUN_TIME: ReadonlySet<unknown> = new Set(['run', 'workflow', 'now', 'secrets'])

function partOf(inner: string, scope: Scope): Part {
  const path = pathOf(inner)
  if (!path) return { text: '…', lacks: 'functions' }
  const value = lookUp(scope, path)
  const [root, key] = path
  if (typeof value === 'string' && isId(value)) return { text: '…', lacks: undefined, isHidden: true }
  const isUntried =
    value === undefined &&
    (AT_RUN_TIME.has(root) || !Object.hasOwn(scope, String(root)) || isMissing(scope, root, key))
  if (isUntried) return { text: '…', lacks: 'unknown' }
  return { text: shortText(value), lacks: hasCalls(inner) ? 'functions' : undefined }
}

function isMissing(scope: Scope, root: Segment | undefined, key: Segment | undefined): boolean {
  return (root === 'steps' || root === 'vars') && lookUp(scope, [root, key ?? '']) === undefined
}

/** @returns undefined if the text has no templates or is only an id; '' as text for an empty value */
export function previewOf(text: string, scope: Scope): Preview | undefined {
  const templates = templatesIn(text)
  if (templates.length === 0) return undefined
  const parts = templates.map(({ inner }) => partOf(inner, scope))
  const lacks = parts.map((part) => part.lacks).find((one) => one !== undefined)
  const isOneTemplate = onlyTemplate(text) !== undefined
  if (isOneTemplate && parts[0]?.isHidden) return undefined
  if (isOneTemplate) return { text: parts[0]?.text ?? '', ...(lacks && { lacks }) }
  let at = 0
  let shown = ''
  for (const [index, { start, end }] of templates.entries()) {
    shown += text.slice(at, start) + (parts[index]?.text ?? '')
    at = end
  }
  return { text: cut(shown + text.slice(at)), ...(lacks && { lacks }) }
}
