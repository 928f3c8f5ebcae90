// Every text of the dashboard: what is written between tags, and strings that read as words.
import { child, children, type Node, nameOf, type Source, textOf } from '../message-list/syntax.ts'
import { pageSources } from './sources.ts'

export interface PageText {
  file: string
  line: number
  /** What is only known later is between ‹ and ›. */
  text: string
}

const KNOWN_LATER_MAX = 60

const lineOf = ({ text }: Source, { start }: Node) => text.slice(0, start).split('\n').length

const later = (node: Node, { text }: Source): string =>
  `‹${text.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, KNOWN_LATER_MAX)}›`

const spaced = (text: string) => text.replaceAll(/\s+/g, ' ')

/** As JSX does it: lines are joined by a space, and indentation is no text. */
const jsxText = (text: string) => spaced(text.replaceAll(/^\s*\n\s*|\s*\n\s*$/g, ''))

function templateText(node: Node, source: Source): string {
  const slots = children(node, 'expressions').map((one) => expressionText(one, source))
  return children(node, 'quasis')
    .map((quasi, index) => (quasi['value'] as { cooked: string }).cooked + (slots[index] ?? ''))
    .join('')
}

function expressionText(node: Node, source: Source): string {
  const literal = textOf(node)
  if (literal !== undefined) return literal
  return node.type === 'TemplateLiteral' ? templateText(node, source) : later(node, source)
}

const isElement = ({ type }: Node) => type === 'JSXElement' || type === 'JSXFragment'

function childText(node: Node, source: Source): string {
  if (node.type === 'JSXText') return jsxText(String(node['value']))
  if (isElement(node)) return elementText(node, source)
  const expression = child(node, 'expression')
  if (!expression || expression.type === 'JSXEmptyExpression') return ''
  return expressionText(expression, source)
}

const elementText = (node: Node, source: Source): string =>
  children(node, 'children')
    .map((one) => childText(one, source))
    .join('')

const hasOwnText = (node: Node) =>
  children(node, 'children').some(
    (one) => one.type === 'JSXText' && /[a-z]/i.test(String(one['value']).trim()),
  )

function parentsOf(node: Node, { parentOf }: Source): Node[] {
  const parents: Node[] = []
  for (let at = parentOf.get(node); at; at = parentOf.get(at)) parents.push(at)
  return parents
}

/** Inside a sentence that is listed whole. */
const isPart = (node: Node, source: Source): boolean =>
  parentsOf(node, source).some((one) => isElement(one) && hasOwnText(one))

/** Attributes and fields that hold no words. */
const TECHNICAL =
  /^(?:className|class|style|styles|classNames|key|id|to|href|src|type|kind|variant|color|role|rel|target|method|slug|path|icon|pattern|accept|queryKey|autoComplete|inputMode|data-[\w-]+|aria-(?:keyshortcuts|live|current|haspopup|controls)|d|viewBox|points|fill|stroke|transform|gridTemplate\w*|transition|animation|font|boxShadow|keys)$/

/** Functions whose strings are no words. */
const OF_PROGRAMS =
  /^(?:querySelector\w*|closest|matches|getItem|setItem|addEventListener|removeEventListener|dispatchEvent|setAttribute|getAttribute|createElement|startsWith|endsWith|includes|split|join|replace|replaceAll|request|apiRequest|import|hasCode|startViewTransition|getPropertyValue|setProperty|test|match|css|media|useMediaQuery|postMessage|localeCompare|dateFormat|numberFormat|RegExp)$/

const calleeName = (call: Node): string | undefined => {
  const callee = child(call, 'callee')
  return nameOf(callee) ?? nameOf(child(callee, 'property'))
}

/** What the parent of a string makes of it. */
function isOfPrograms(node: Node, parent: Node): boolean {
  if (/^(?:Import|Export)|MemberExpression|SwitchCase/.test(parent.type)) return true
  if (parent.type === 'BinaryExpression') return parent['operator'] !== '+'
  const key = child(parent, 'key')
  if (parent.type === 'Property') return key === node || TECHNICAL.test(nameOf(key) ?? textOf(key) ?? '')
  return parent.type === 'CallExpression' && OF_PROGRAMS.test(calleeName(parent) ?? '')
}

function isTechnical(node: Node, source: Source): boolean {
  const parents = parentsOf(node, source)
  const attribute = parents.find(({ type }) => type === 'JSXAttribute')
  const isOfAttribute = TECHNICAL.test(nameOf(child(attribute, 'name')) ?? '')
  const [parent] = parents
  return isOfAttribute || !parent || isOfPrograms(node, parent)
}

/** Words begin with a capital or have a space between letters; classes, addresses and keys do not. */
function readsAsWords(text: string): boolean {
  const known = text.replaceAll(/‹[^›]*›/g, 'x').trim()
  if (!/[a-z]{2}/i.test(known.replaceAll('x', '')) || /^[./#?&@-]|[{};]|=>|:\/\/|--|\/\w*\//.test(known))
    return false
  if (/^[A-Z][a-z’]+…?$/.test(known)) return true
  return /\p{L}[\p{L}’”).,:…%]*\s+[“‘(]?[\p{L}\d]/u.test(known) && /[a-z]{3}/.test(known) && !isClasses(known)
}

/** `row gap-4`, `0 8px 4px`, `var(--x) solid` */
const isClasses = (text: string) =>
  /(?:^|\s)(?:gap|mt|mb|pt|row|fill|muted|tiny|grow|fixed|truncate)-?\d*(?:\s|$)/.test(text) ||
  /\d(?:px|ms|fr|em|vh|%)\b|var\(|rgba?\(|prefers-/.test(text)

function textsOf(source: Source): PageText[] {
  return source.nodes.flatMap((node): PageText[] => {
    const at = { file: source.file, line: lineOf(source, node) }
    if (isElement(node))
      return hasOwnText(node) && !isPart(node, source)
        ? [{ ...at, text: spaced(elementText(node, source)).trim() }]
        : []
    const text = node.type === 'TemplateLiteral' ? templateText(node, source) : (textOf(node) ?? undefined)
    if (text === undefined || isTechnical(node, source) || !readsAsWords(text)) return []
    const [parent] = parentsOf(node, source)
    const isTagged = parent?.type === 'TaggedTemplateExpression'
    const isInTemplate = parent?.type === 'TemplateLiteral'
    return isTagged || isInTemplate ? [] : [{ ...at, text: spaced(text).trim() }]
  })
}

export const pageTexts = (): PageText[] =>
  pageSources
    .flatMap(textsOf)
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || (a.text < b.text ? -1 : 1))
