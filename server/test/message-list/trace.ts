// The possible texts of an expression: literals unchanged, values known only at run time as ‹their source›.
import {
  type At,
  child,
  children,
  isFunction,
  isMethod,
  type Node,
  nameOf,
  resolve,
  type Source,
  textOf,
} from './syntax.ts'

const DEPTH_MAX = 10
/** Above this number of combinations, all parts vary together and not independently. */
const VARIANTS_MAX = 24
const UNKNOWN_CHARACTERS_MAX = 40

/** All possible texts of one value. */
export type Variants = readonly string[]

export interface Call extends At {
  args: readonly Node[]
}

/** Returns the calls of a function. */
export type CallsOf = (called: At) => readonly Call[]

const WRAPPERS = /^(TS(As|Satisfies|NonNull)Expression|ParenthesizedExpression|ChainExpression)$/

export function unwrapped(node: Node): Node {
  let inner = node
  while (WRAPPERS.test(inner.type)) inner = child(inner, 'expression') ?? inner
  return inner
}

const unknown = (node: Node, { text }: Source): Variants => [
  `‹${text.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, UNKNOWN_CHARACTERS_MAX)}›`,
]

const isUnknown = (text: string) => /^‹[^›]*›$/.test(text)

function joined(parts: readonly Variants[]): Variants {
  const count = parts.reduce((product, variants) => product * variants.length, 1)
  if (count <= VARIANTS_MAX)
    return parts.reduce<Variants>(
      (texts, variants) => texts.flatMap((text) => variants.map((one) => text + one)),
      [''],
    )
  const most = Math.max(...parts.map((variants) => variants.length))
  return Array.from({ length: most }, (_, index) =>
    parts.map((variants) => variants[index % variants.length]).join(''),
  )
}

/** Follows values through constants, functions and their calls. */
export class Tracer {
  readonly #callsOf: CallsOf

  constructor(callsOf: CallsOf) {
    this.#callsOf = callsOf
  }

  texts(node: Node, source: Source, depth = 0): Variants {
    const inner = unwrapped(node)
    const literal = textOf(inner)
    if (literal !== undefined) return [literal]
    const found = depth < DEPTH_MAX ? this.#inside({ node: inner, source }, depth + 1) : undefined
    return found && found.length > 0 ? [...new Set(found)] : unknown(inner, source)
  }

  #inside(at: At, depth: number): Variants | undefined {
    const { node, source } = at
    const texts = (inner: Node | undefined) => (inner ? this.texts(inner, source, depth) : [])
    switch (node.type) {
      case 'TemplateLiteral':
        return this.#template(at, depth)
      case 'ConditionalExpression':
        return [...texts(child(node, 'consequent')), ...texts(child(node, 'alternate'))]
      case 'LogicalExpression':
        return node['operator'] === '&&'
          ? texts(child(node, 'right'))
          : [...texts(child(node, 'left')), ...texts(child(node, 'right'))]
      case 'BinaryExpression':
        return node['operator'] === '+'
          ? joined([texts(child(node, 'left')), texts(child(node, 'right'))])
          : undefined
      case 'AwaitExpression':
        return texts(child(node, 'argument'))
      case 'Identifier':
        return this.#name(at, depth)
      case 'MemberExpression':
        return this.#member(at, depth)
      case 'CallExpression':
        return this.#call(at, depth)
      default:
        return undefined
    }
  }

  #template({ node, source }: At, depth: number): Variants {
    const slots = children(node, 'expressions').map((one) => this.texts(one, source, depth))
    const parts = children(node, 'quasis').flatMap((quasi, index): Variants[] => {
      const { cooked } = quasi['value'] as { cooked: string }
      const slot = slots[index]
      return slot ? [[cooked], slot] : [[cooked]]
    })
    return joined(parts)
  }

  #name(at: At, depth: number): Variants | undefined {
    const name = nameOf(at.node) ?? ''
    if (name === 'undefined') return ['']
    const binding = resolve(name, at)
    if (binding?.kind === 'value') return this.texts(binding.node, binding.source, depth)
    if (binding?.kind !== 'parameter') return undefined
    // Methods are found only by their name, which is not unique.
    const given = isMethod(binding) ? [] : this.argumentsOf(binding, binding.index)
    const texts = given.flatMap((one) => this.texts(one.node, one.source, depth + 1))
    // For an argument known only at run time, the name of the parameter says more.
    return texts.length === 0 ? undefined : texts.map((text) => (isUnknown(text) ? `‹${name}›` : text))
  }

  /** The arguments that the calls of a function pass at an index. */
  argumentsOf(called: At, index: number): At[] {
    return this.#callsOf(called).flatMap(({ args, source }) => {
      const node = this.argumentAt(args, index, source)
      return node ? [{ node, source }] : []
    })
  }

  /** The argument at an index. Expands constant arrays after `...`. */
  argumentAt(args: readonly Node[], index: number, source: Source): Node | undefined {
    const flat = args.flatMap((arg) => {
      if (arg.type !== 'SpreadElement') return [arg]
      const list = this.#valuesOf({ node: child(arg, 'argument') ?? arg, source })[0]?.node
      return list?.type === 'ArrayExpression' ? children(list, 'elements') : [arg]
    })
    return flat[index]
  }

  /** The possible values of an expression, through constants, members of constant tables and conditions. */
  #valuesOf(at: At, depth = 0): At[] {
    const node = unwrapped(at.node)
    const here = { node, source: at.source }
    if (depth > DEPTH_MAX) return [here]
    const follow = (inner: Node | undefined) =>
      inner ? this.#valuesOf({ node: inner, source: at.source }, depth + 1) : []
    if (node.type === 'ConditionalExpression')
      return [...follow(child(node, 'consequent')), ...follow(child(node, 'alternate'))]
    if (node.type === 'LogicalExpression')
      return [...follow(child(node, 'left')), ...follow(child(node, 'right'))]
    if (node.type === 'Identifier') {
      const binding = resolve(nameOf(node) ?? '', here)
      return binding?.kind === 'value' ? this.#valuesOf(binding, depth + 1) : [here]
    }
    if (node.type !== 'MemberExpression') return [here]
    const tables = follow(child(node, 'object'))
    const members = tables.flatMap((table) =>
      membersOf(table.node, node).map((one) => ({ ...table, node: one })),
    )
    return members.length === 0 ? [here] : members.flatMap((one) => this.#valuesOf(one, depth + 1))
  }

  #member(at: At, depth: number): Variants | undefined {
    const values = this.#valuesOf(at).filter(({ node }) => node !== at.node)
    return values.length === 0
      ? undefined
      : values.flatMap(({ node, source }) => this.texts(node, source, depth))
  }

  #call({ node, source }: At, depth: number): Variants | undefined {
    const callee = child(node, 'callee')
    if (!callee) return undefined
    const functions = this.#valuesOf({ node: callee, source }).filter((one) => isFunction(one.node))
    return functions.flatMap((one) =>
      resultsOf(one).flatMap((result) => this.texts(result, one.source, depth)),
    )
  }
}

/** The members of a constant table that an access may select. */
function membersOf(table: Node, access: Node): Node[] {
  const property = child(access, 'property')
  const values = children(table, 'properties').flatMap((one) => {
    const key = child(one, 'key')
    const value = child(one, 'value')
    const name = nameOf(key) ?? textOf(key)
    return value && (access['computed'] === true || name === nameOf(property)) ? [value] : []
  })
  const elements = access['computed'] === true ? children(table, 'elements') : []
  const index = property?.['value']
  return [...values, ...(typeof index === 'number' ? elements.slice(index, index + 1) : elements)]
}

/** The expressions that a function returns. */
function resultsOf({ node, source }: At): Node[] {
  const body = child(node, 'body')
  if (!body) return []
  if (body.type !== 'BlockStatement') return [body]
  return source.nodes.flatMap((one) => {
    if (one.type !== 'ReturnStatement' || one.start < body.start || one.end > body.end) return []
    for (let at = source.parentOf.get(one); at && at !== node; at = source.parentOf.get(at))
      if (isFunction(at)) return []
    return child(one, 'argument') ?? []
  })
}
