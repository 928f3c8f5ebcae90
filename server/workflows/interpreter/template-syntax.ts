// Parses texts with {{templates}}. A template is a path or a literal, followed by functions after `|`.

export type Segment = string | number
export type TemplateOperand = { literal: string | number | boolean | null } | { path: readonly Segment[] }
export interface Call {
  name: string
  args: readonly TemplateOperand[]
}
export interface Expression {
  head: TemplateOperand
  calls: readonly Call[]
}
export type Piece = string | Expression

/** `problem` is a sentence that names the error and its place. */
export type Parsed = { pieces: readonly Piece[]; problem?: never } | { problem: string; pieces?: never }

/** The maximum number of functions in one template. */
const CALLS_MAX = 20
const SEGMENTS_MAX = 30
const ARGS_MAX = 5

class SyntaxProblem extends Error {}

const SPACE = /\s*/y
const NAME = /[A-Za-z_][\w-]*/y
const PART = /[\w-]+/y
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

/** Parses one `{{…}}` from a given start. */
class Reader {
  readonly #text: string
  at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  expression(): Expression {
    this.#take(SPACE)
    if (this.#text.startsWith('}}', this.at)) this.#fail('is empty: write a value, such as trigger.data.name')
    const head = this.#operand()
    const calls: Call[] = []
    while (this.#skips('|')) calls.push(this.#call())
    if (calls.length > CALLS_MAX) this.#fail(`has more than ${CALLS_MAX} functions`)
    this.#take(SPACE)
    if (!this.#text.startsWith('}}', this.at)) this.#unexpected()
    this.at += 2
    return { head, calls }
  }

  #call(): Call {
    this.#take(SPACE)
    const name = this.#take(NAME)
    if (!name) this.#fail('has no function name after |')
    const args: TemplateOperand[] = []
    this.#take(SPACE)
    while (this.at < this.#text.length && !/[|}]/.test(this.#text.charAt(this.at))) {
      args.push(this.#operand())
      if (args.length > ARGS_MAX) this.#fail(`passes more than ${ARGS_MAX} parameters to ${name}`)
      this.#take(SPACE)
    }
    return { name, args }
  }

  #operand(): TemplateOperand {
    const quote = this.#text.charAt(this.at)
    if (quote === '"' || quote === "'") return { literal: this.#quoted(quote) }
    const number = this.#take(NUMBER)
    if (number) return { literal: Number(number) }
    const name = this.#take(NAME)
    if (!name) this.#unexpected()
    const path = [name, ...this.#segments()]
    const [word] = path
    if (path.length === 1 && typeof word === 'string' && Object.hasOwn(WORDS, word))
      return { literal: WORDS[word] ?? null }
    return { path }
  }

  #segments(): Segment[] {
    const segments: Segment[] = []
    for (;;) {
      if (segments.length > SEGMENTS_MAX) this.#fail(`has a path of more than ${SEGMENTS_MAX} parts`)
      if (this.#text.startsWith('.', this.at)) {
        this.at++
        const part = this.#take(PART)
        if (!part) this.#fail('has a path that ends in a dot, or has two dots in a row')
        segments.push(/^\d+$/.test(part) ? Number(part) : part)
      } else if (this.#text.startsWith('[', this.at)) segments.push(this.#bracket())
      else return segments
    }
  }

  #bracket(): Segment {
    this.at++
    const quote = this.#text.charAt(this.at)
    const index = this.#take(/\d+/y)
    const segment = index ? Number(index) : quote === '"' || quote === "'" ? this.#quoted(quote) : undefined
    if (segment === undefined || this.#text.charAt(this.at) !== ']')
      this.#fail("has brackets without an index or a quoted name, such as [0] or ['name']")
    this.at++
    return segment
  }

  #quoted(quote: string): string {
    let text = ''
    for (this.at++; this.at < this.#text.length; this.at++) {
      const char = this.#text.charAt(this.at)
      if (char === quote) {
        this.at++
        return text
      }
      if (char === '\\') {
        const next = this.#text.charAt(++this.at)
        text += ESCAPES[next] ?? next
      } else text += char
    }
    return this.#fail(`has an unclosed quotation mark ${quote}`)
  }

  #skips(sign: string): boolean {
    this.#take(SPACE)
    if (!this.#text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const taken = pattern.exec(this.#text)?.[0] ?? ''
    this.at += taken.length
    return taken
  }

  #unexpected(): never {
    const rest = this.#text.slice(this.at, this.at + 20)
    return this.#fail(
      rest === '' ? 'has no }} at its end' : `cannot be read from "${rest}" on: functions follow a |`,
    )
  }

  #fail(what: string): never {
    throw new SyntaxProblem(what)
  }
}

function read(text: string): Parsed {
  const pieces: Piece[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('{{', at)
    const plain = text.slice(at, start === -1 ? undefined : start)
    if (plain) pieces.push(plain)
    if (start === -1) return { pieces }
    const reader = new Reader(text, start + 2)
    try {
      pieces.push(reader.expression())
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      return { problem: `The template at "${text.slice(start, start + 40)}" ${error.message}.` }
    }
    at = reader.at
  }
}

const CACHED_CHARS_MAX = 4_000_000
const cache = new Map<string, Parsed>()
let cachedChars = 0

/** The pieces of a text. Results are cached, because every run parses the same texts. */
export function parseTemplate(text: string): Parsed {
  const known = cache.get(text)
  if (known) return known
  const parsed = read(text)
  if (cachedChars + text.length > CACHED_CHARS_MAX) {
    cache.clear()
    cachedChars = 0
  }
  cachedChars += text.length
  cache.set(text, parsed)
  return parsed
}
