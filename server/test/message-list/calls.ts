// Finds the calls of functions in the sources.
import {
  type At,
  child,
  children,
  functionName,
  isMethod,
  type Node,
  nameOf,
  ours,
  type Source,
  sourceOf,
} from './syntax.ts'
import type { Call, CallsOf } from './trace.ts'

export const sources: readonly Source[] = ours.flatMap(({ file }) => sourceOf(file) ?? [])

const calleeName = (node: Node): string | undefined => {
  const callee = child(node, 'callee')
  return nameOf(callee) ?? nameOf(child(callee, 'property'))
}

const calls: ReadonlyMap<string, readonly Call[]> = Map.groupBy(
  sources.flatMap((source) =>
    source.nodes
      .filter(({ type }) => type === 'CallExpression')
      .map((node) => ({ node, source, args: children(node, 'arguments') })),
  ),
  ({ node }) => calleeName(node) ?? '',
)

const importsOf = new Map(ours.map(({ file, imports }) => [file, new Set(imports)]))

/** Finds calls of a method only by name; calls of a function in its file and in the files that import its file. */
export const callsOf: CallsOf = ({ node, source }: At) => {
  const named = calls.get(functionName(node, source) ?? '') ?? []
  if (isMethod({ node, source })) return named
  return named.filter(
    (call) => call.source === source || importsOf.get(call.source.file)?.has(source.file) === true,
  )
}
