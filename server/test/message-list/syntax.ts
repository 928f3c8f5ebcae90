// The syntax trees of the sources, and the resolution of names in them.
import { join } from 'node:path/posix'
import { parseSync } from 'vite'
import { modules } from '../imports.ts'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Source {
  file: string
  text: string
  program: Node
  nodes: readonly Node[]
  parentOf: ReadonlyMap<Node, Node>
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const child = (node: Node | undefined, field: string): Node | undefined => {
  const value = node?.[field]
  return isNode(value) ? value : undefined
}

export const children = (node: Node | undefined, field: string): Node[] => {
  const value = node?.[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

export const nameOf = (node: Node | undefined): string | undefined =>
  typeof node?.['name'] === 'string' ? node['name'] : undefined

export const textOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined

/** Types contain no messages, and are half of the tree. */
const isType = (node: Node) => node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)

/** Every node of a program, without types. */
export function treeOf(program: Node): Pick<Source, 'nodes' | 'parentOf'> {
  const nodes: Node[] = []
  const parentOf = new Map<Node, Node>()
  const open = [program]
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node)
    for (const value of Object.values(node).flat())
      if (isNode(value) && !isType(value)) {
        parentOf.set(value, node)
        open.push(value)
      }
  }
  return { nodes, parentOf }
}

const TEST =
  /\.(test|verify|fixture)\.ts$|^server\/test\/|^server\/operations\/cluster\/|^server\/entry\/dev\//

/** The source files of the service and its command line, without tests. */
export const ours = modules.filter(({ file }) => /^(contract|server|cli)\//.test(file) && !TEST.test(file))

const parsed = new Map<string, Source>()

export function sourceOf(file: string): Source | undefined {
  const known = parsed.get(file)
  if (known) return known
  const found = ours.find((one) => one.file === file)
  if (!found) return undefined
  const program = parseSync(file, found.text).program as unknown as Node
  const source = { file, text: found.text, program, ...treeOf(program) }
  parsed.set(file, source)
  return source
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
export const isFunction = (node: Node) => FUNCTIONS.has(node.type)

/** A node of a file. */
export interface At {
  node: Node
  source: Source
}

/** The value or parameter to which a name refers. */
export type Binding = (At & { kind: 'value' }) | (At & { kind: 'parameter'; index: number })

/** `export const a = 1` → `const a = 1` */
const declared = (statement: Node): Node =>
  /^Export(Named|Default)Declaration$/.test(statement.type)
    ? (child(statement, 'declaration') ?? statement)
    : statement

function inDeclarator(declarator: Node, name: string): Node | undefined {
  const id = child(declarator, 'id')
  const init = child(declarator, 'init')
  if (id?.type === 'Identifier') return nameOf(id) === name ? init : undefined
  // const [message, hint] = ['…', '…']
  if (id?.type !== 'ArrayPattern' || init?.type !== 'ArrayExpression') return undefined
  const place = children(id, 'elements').findIndex((one) => nameOf(one) === name)
  return children(init, 'elements')[place]
}

function inStatement(statement: Node, name: string): Node | undefined {
  const declaration = declared(statement)
  if (declaration.type === 'VariableDeclaration')
    return children(declaration, 'declarations')
      .map((one) => inDeclarator(one, name))
      .find((one) => one !== undefined)
  return nameOf(child(declaration, 'id')) === name ? declaration : undefined
}

function imported(source: Source, name: string): Binding | undefined {
  for (const statement of children(source.program, 'body')) {
    if (statement.type !== 'ImportDeclaration') continue
    const specifier = children(statement, 'specifiers').find((one) => nameOf(child(one, 'local')) === name)
    const from = textOf(child(statement, 'source'))
    const original = nameOf(child(specifier, 'imported'))
    if (original === undefined || !from?.startsWith('.')) continue
    const target = sourceOf(join(source.file, '..', from))
    return target && inProgram(target, original)
  }
  return undefined
}

function inProgram(source: Source, name: string): Binding | undefined {
  for (const statement of children(source.program, 'body')) {
    const node = inStatement(statement, name)
    if (node) return { kind: 'value', node, source }
  }
  return imported(source, name)
}

const parameterName = (node: Node) => nameOf(node.type === 'AssignmentPattern' ? child(node, 'left') : node)

export function resolve(name: string, { node, source }: At): Binding | undefined {
  for (let at = source.parentOf.get(node); at; at = source.parentOf.get(at)) {
    if (isFunction(at)) {
      const index = children(at, 'params').findIndex((one) => parameterName(one) === name)
      if (index !== -1) return { kind: 'parameter', node: at, source, index }
    }
    if (at.type !== 'BlockStatement') continue
    for (const statement of children(at, 'body')) {
      const found = inStatement(statement, name)
      if (found) return { kind: 'value', node: found, source }
    }
  }
  return inProgram(source, name)
}

/** The name by which a function is called: its own name, or the name of its variable, field or method. */
export function functionName(node: Node, source: Source): string | undefined {
  const parent = source.parentOf.get(node)
  return (
    nameOf(child(node, 'id')) ??
    nameOf(child(parent, 'id')) ??
    nameOf(child(parent, 'key')) ??
    (parent?.type === 'AssignmentExpression' ? nameOf(child(child(parent, 'left'), 'property')) : undefined)
  )
}

const MEMBER = /^(MethodDefinition|PropertyDefinition|Property|AssignmentExpression)$/

/** Whether a function is called as a member of an object. */
export const isMethod = ({ node, source }: At): boolean => MEMBER.test(source.parentOf.get(node)?.type ?? '')
