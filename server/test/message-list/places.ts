// Finds every expression in the sources that is the message of an error. An error is an instance of a class that
// extends Error, or an object with a message, such as a problem. A message in a parameter is looked up in the calls.
import { callsOf, sources } from './calls.ts'
import {
  type At,
  child,
  children,
  isFunction,
  type Node,
  nameOf,
  resolve,
  type Source,
  textOf,
} from './syntax.ts'
import { Tracer, unwrapped, type Variants } from './trace.ts'

/** Problems follow a path; refusals answer a request; runs fail; notes refuse nothing; the rest is for operators. */
export type Kind = 'problem' | 'refusal' | 'run' | 'operator' | 'note' | 'defect'

export interface MessageLocation extends At {
  kind: Kind
  /** The expression of its code, if it has one. */
  code?: At | undefined
}

const BUILT_IN = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError'])
/** An error of commander, which starts the message with the option. */
const OF_OPTIONS = 'InvalidArgumentError'

interface ErrorClass {
  name: string
  base: string
  /** The index of the message in the constructor's parameters; undefined: the class writes the message itself. */
  index: number | undefined
  own: At | undefined
}

function messageOfClass(node: Node, source: Source): Pick<ErrorClass, 'index' | 'own'> {
  const method = children(child(node, 'body'), 'body').find((one) => one['kind'] === 'constructor')
  const made = child(method, 'value')
  if (!made) return { index: 0, own: undefined }
  const call = source.nodes.find(
    (one) =>
      one.type === 'CallExpression' &&
      child(one, 'callee')?.type === 'Super' &&
      one.start > made.start &&
      one.end < made.end,
  )
  const [first] = children(call, 'arguments')
  const index = children(made, 'params').findIndex((one) => nameOf(one) === nameOf(first))
  if (first && index === -1) return { index: undefined, own: { node: first, source } }
  return { index: index === -1 ? 0 : index, own: undefined }
}

const classes = new Map<string, ErrorClass>(
  sources.flatMap((source) =>
    source.nodes.flatMap((node): [string, ErrorClass][] => {
      const base = nameOf(child(node, 'superClass'))
      const name = nameOf(child(node, 'id'))
      if (node.type !== 'ClassDeclaration' || base === undefined || name === undefined) return []
      return [[name, { name, base, ...messageOfClass(node, source) }]]
    }),
  ),
)

const isError = (name: string | undefined): boolean =>
  name !== undefined && (BUILT_IN.has(name) || name === OF_OPTIONS || isError(classes.get(name)?.base))

/** Errors whose messages the command line shows, or the process when it starts or stops. */
const OPERATOR = /^(Config|Backup|Embedded|Migration|Database|Node|InvalidArgument)Error$/

const RUN = /^(StepFailure|TemplateError|Failure)$/

function kindOf(name: string, { file }: Source): Kind {
  if (name === 'AppError') return 'refusal'
  if (RUN.test(name)) return 'run'
  return OPERATOR.test(name) || file.startsWith('cli/') ? 'operator' : 'defect'
}

function ofErrors(source: Source): MessageLocation[] {
  return source.nodes.flatMap((node): MessageLocation[] => {
    const name = nameOf(child(node, 'callee'))
    if (node.type !== 'NewExpression' || name === undefined || !isError(name)) return []
    const { index = 0, own } = classes.get(name) ?? {}
    const message = own ?? {
      node: new Tracer(callsOf).argumentAt(children(node, 'arguments'), index, source) ?? node,
      source,
    }
    const [first] = children(node, 'arguments')
    const code = first && index > 0 ? { node: first, source } : undefined
    return message.node === node ? [] : [{ ...message, kind: kindOf(name, source), code }]
  })
}

const MESSAGE = /^(message|problem)$/
const CODE = /^[a-z]+(?:_[a-z]+)*$/

/** `{ path, code, message }`, and objects that become a part of one. */
function ofObjects(source: Source): MessageLocation[] {
  return source.nodes.flatMap((node): MessageLocation[] => {
    if (node.type !== 'Property' || source.parentOf.get(node)?.type !== 'ObjectExpression') return []
    const value = child(node, 'value')
    const siblings = children(source.parentOf.get(node), 'properties')
    const code = child(
      siblings.find((one) => nameOf(child(one, 'key')) === 'code'),
      'value',
    )
    return value && !isFunction(value) && MESSAGE.test(nameOf(child(node, 'key')) ?? '')
      ? [{ node: value, source, kind: 'problem', code: code && { node: code, source } }]
      : []
  })
}

/** `['invalid_name', 'must be …']` */
function ofPairs(source: Source): MessageLocation[] {
  return source.nodes.flatMap((node): MessageLocation[] => {
    if (node.type !== 'ArrayExpression') return []
    const elements = children(node, 'elements')
    return elements.flatMap((element, index): MessageLocation[] => {
      const before = textOf(elements[index - 1])
      const isMessage = before !== undefined && CODE.test(before) && / /.test(textOf(element) ?? '')
      const code = elements[index - 1]
      return code && (isMessage || (before?.includes('_') && element.type === 'TemplateLiteral'))
        ? [{ node: element, source, kind: 'problem', code: { node: code, source } }]
        : []
    })
  })
}

const bindingOf = ({ node, source }: At) => {
  const name = node.type === 'Identifier' ? nameOf(node) : undefined
  return name === undefined ? undefined : resolve(name, { node, source })
}

/** The origins of a message: if it is a parameter, the arguments of the calls. */
function origins(location: MessageLocation, tracer: Tracer, seen: Set<Node>): MessageLocation[] {
  const node = unwrapped(location.node)
  if (seen.has(node)) return []
  seen.add(node)
  const binding = bindingOf({ node, source: location.source })
  if (binding?.kind !== 'parameter') return [{ ...location, node }]
  const ofCode = location.code && bindingOf(location.code)
  const codeIndex = ofCode?.kind === 'parameter' && ofCode.node === binding.node ? ofCode.index : undefined
  return callsOf(binding).flatMap(({ args, source }) => {
    const given = tracer.argumentAt(args, binding.index, source)
    const code = codeIndex === undefined ? undefined : tracer.argumentAt(args, codeIndex, source)
    const at = { kind: location.kind, source, code: code ? { node: code, source } : location.code }
    return given ? origins({ ...at, node: given }, tracer, seen) : []
  })
}

/** Files whose texts report an event, not a fault of a request that the sender could correct. */
const NOTES: Readonly<Record<string, string>> = {
  'server/demo/pipeline.ts': 'activities of the demo',
  'server/http/egress/exchange.ts': 'why a receiver was not reached',
  'server/http/egress/failures.ts': 'why a receiver was not reached',
  'server/pages/pages.ts': 'a part of a page',
  'server/base/plain-error.ts': 'lines of the log',
  'server/change-sets/conflicts.ts': 'what an undo job leaves as it is',
  'server/records/trash/losses.ts': 'what a restored record does not get back',
  'server/records/undo/restoration.ts': 'what an undone change leaves as it is',
  'server/webhooks/delivery/attempt.ts': 'how a receiver responded',
  'server/webhooks/delivery/attempt-writer.ts': 'how a receiver responded',
  'server/workflows/dry-run/perform-dry-run.ts': 'why a run failed',
  'server/workflows/engine/runner.ts': 'why a run failed',
  'server/workflows/interpreter/delay.ts': 'why a run failed',
  'server/workflows/interpreter/template-syntax.ts': 'why a run failed',
  'server/workflows/runs/service.ts': 'that a run was started',
  'server/workflows/steps/stop.ts': 'the text of the step itself',
}

const kindIn = (kind: Kind, file: string): Kind =>
  kind === 'problem' && Object.hasOwn(NOTES, file) ? 'note' : kind

export interface Message {
  file: string
  line: number
  kind: Kind
  texts: Variants
  /** The possible codes of the problem or refusal; empty if unknown. */
  codes: Variants
  /** The expression, if its text was not found. */
  open: string | undefined
}

const lineOf = ({ text }: Source, { start }: Node) => text.slice(0, start).split('\n').length

/** A literal, or an object that has its own message. */
const NO_TEXT = new Set(['Literal', 'ObjectExpression'])

/** A description in a schema. */
const DECLARED = /^(?:Type|Nullable|literals)\b/

const HANDED_ON = /\b(message|problem|failure|why|reason|detail)\w*$/i

export function messages(): Message[] {
  const tracer = new Tracer(callsOf)
  const seen = new Set<Node>()
  // The contract has only examples of messages.
  const locations = sources
    .filter(({ file }) => !file.startsWith('contract/'))
    .flatMap((source) => [...ofErrors(source), ...ofObjects(source), ...ofPairs(source)])
  return locations
    .flatMap((location) => origins(location, tracer, seen))
    .flatMap(({ node, source, kind, code }): Message[] => {
      const texts = tracer.texts(node, source).filter((text) => /\s/.test(text.replaceAll(/‹[^›]*›/g, '')))
      const expression = source.text.slice(node.start, node.end)
      const isKnown = NO_TEXT.has(node.type) || HANDED_ON.test(expression) || DECLARED.test(expression)
      const isOpen = texts.length === 0 && !isKnown && kind !== 'defect'
      if (texts.length === 0 && !isOpen) return []
      const open = isOpen ? expression.slice(0, 100) : undefined
      const codes = code ? tracer.texts(code.node, code.source) : []
      const at = { file: source.file, line: lineOf(source, node) }
      return [{ ...at, kind: kindIn(kind, source.file), texts, codes, open }]
    })
}
