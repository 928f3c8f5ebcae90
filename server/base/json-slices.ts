// Parses the JSON of request bodies in slices, so that a large body does not block the event loop. Refuses bodies with
// more fields or values than any request needs.
//
// One scan finds the structure. JSON.parse gets runs of neighboring values as soon as they are large enough. Only
// arrays and objects that are larger than one run are assembled here. A small body is one call of JSON.parse.
import { isDigit, isLongNumber, MalformedJson, numberEnd, parseKnown, stringEnd } from './json.ts'

export interface JsonBounds {
  /** The maximum number of fields of one object. */
  fields: number
  /** The maximum number of elements and fields of all arrays and objects together. */
  values: number
  /** The maximum number of characters of one string, as written. */
  stringChars: number
  depth: number
}

/** The text exceeds a limit; `code` is for programs. */
export class JsonTooLarge extends Error {
  override name = 'JsonTooLarge'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The maximum size of the text for one call of JSON.parse, if the text can be cut. */
interface Run {
  values: number
  chars: number
}

/** A number that is kept digit for digit counts as this many values, because it takes as much time and memory. */
const LONG_NUMBER_VALUES = 8

/** The size of about a millisecond of work. */
const RUN: Run = { values: 1024, chars: 256 * 1024 }

/** An array or object that is open at the offset of the scan. */
interface Frame {
  openAt: number
  isArray: boolean
  /** The offset of the first member that is not built yet. */
  from: number
  /** The number of values before `from`. */
  valuesBefore: number
  /** The offset of the current member, and of the colon before its value in an object. */
  memberAt: number
  colonAt: number
  fields: number
  /** The members built so far; undefined before the first cut. */
  built: unknown[] | Map<string, unknown> | undefined
  /** The end of the current member if its value is built already; otherwise 0. */
  builtEnd: number
}

const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22
const isOpening = (char: number) => char === 0x5b || char === 0x7b
const isClosing = (char: number) => char === 0x5d || char === 0x7d
const isBlank = (text: string) => /^[ \t\r\n]*$/.test(text)

/** Makes an own property for any name, even __proto__, as JSON.parse does. */
function toObject(fields: Map<string, unknown>): object {
  const object = {}
  for (const [name, value] of fields)
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  return object
}

/** Parses one text by calls of `advance`, each of which takes about a millisecond. */
export class JsonSlices {
  readonly #text: string
  readonly #bounds: JsonBounds
  readonly #run: Run
  readonly #frames: Frame[] = []
  #at = 0
  #values = 0
  #hasCut = false
  #longNumberAt = -1
  #result: unknown
  /** The end of the whole value, if it was built here; otherwise 0. */
  #resultEnd = 0

  constructor(text: string, bounds: JsonBounds, run = RUN) {
    this.#text = text
    this.#bounds = bounds
    this.#run = run
  }

  /** The number of elements and fields so far. */
  get values(): number {
    return this.#values
  }

  /** @throws MalformedJson if the text is not exactly one value */
  get result(): unknown {
    if (this.#resultEnd === 0 && this.#frames.length === 0) return this.#parse(0, this.#text.length, '', '')
    if (this.#frames.length > 0 || !isBlank(this.#text.slice(this.#resultEnd)))
      throw this.#malformed(this.#at)
    return this.#result
  }

  /** @returns whether the end is reached @throws MalformedJson, JsonTooLarge */
  advance(): boolean {
    const text = this.#text
    this.#hasCut = false
    for (let at = this.#at; at < text.length; at++) {
      const char = text.charCodeAt(at)
      if (char === QUOTE) at = this.#string(at)
      else if (isDigit(char)) at = this.#number(at)
      else if (isOpening(char)) this.#open(at, char)
      else if (isClosing(char)) this.#close(at, char)
      else if (char === COMMA) this.#comma(at)
      else if (char === COLON) this.#colon(at)
      if (this.#hasCut) {
        this.#at = at + 1
        return false
      }
    }
    this.#at = text.length
    return true
  }

  #string(at: number): number {
    const end = stringEnd(this.#text, at)
    if (end - at <= this.#bounds.stringChars) return end
    throw new JsonTooLarge(
      'text_too_long',
      `A text is longer than ${this.#bounds.stringChars} characters: send a shorter one`,
    )
  }

  #number(at: number): number {
    const end = numberEnd(this.#text, at)
    if (isLongNumber(this.#text, at, end)) this.#longNumber(at)
    return end - 1
  }

  #longNumber(at: number): void {
    this.#longNumberAt = at
    this.#count(LONG_NUMBER_VALUES)
  }

  #open(at: number, char: number): void {
    if (this.#frames.length >= this.#bounds.depth)
      throw new MalformedJson(
        `JSON can be nested at most ${this.#bounds.depth} levels deep: send fewer levels`,
      )
    this.#count()
    this.#frames.push({
      openAt: at,
      isArray: char === 0x5b,
      from: at + 1,
      valuesBefore: this.#values,
      memberAt: at + 1,
      colonAt: 0,
      fields: 0,
      built: undefined,
      builtEnd: 0,
    })
  }

  #count(values = 1): void {
    this.#values += values
    if (this.#values > this.#bounds.values)
      throw new JsonTooLarge(
        'too_many_values',
        `The body has more than ${this.#bounds.values} values: send less in one request`,
      )
  }

  #colon(at: number): void {
    const frame = this.#frames.at(-1)
    if (!frame || frame.isArray) throw this.#malformed(at)
    frame.colonAt = at
    if (++frame.fields > this.#bounds.fields)
      throw new JsonTooLarge(
        'too_many_fields',
        `An object has more than ${this.#bounds.fields} fields: send fewer`,
      )
  }

  #comma(at: number): void {
    const frame = this.#frames.at(-1)
    if (!frame) throw this.#malformed(at)
    this.#count()
    if (frame.builtEnd > 0) this.#passBuilt(frame, at)
    else if (this.#isLarge(frame, at)) this.#build(frame, at)
    frame.memberAt = at + 1
  }

  #isLarge({ from, valuesBefore }: Frame, at: number): boolean {
    return this.#values - valuesBefore > this.#run.values || at - from > this.#run.chars
  }

  /** Checks that only blanks follow a built value up to `at`. */
  #passBuilt(frame: Frame, at: number): void {
    if (!isBlank(this.#text.slice(frame.builtEnd, at))) throw this.#malformed(frame.builtEnd)
    frame.builtEnd = 0
    this.#begin(frame, at + 1)
  }

  #begin(frame: Frame, from: number): void {
    frame.from = from
    frame.valuesBefore = this.#values
  }

  /** Builds the members up to `end`; there must be at least one. */
  #build(frame: Frame, end: number): void {
    const isEmpty = frame.isArray ? this.#buildElements(frame, end) : this.#buildFields(frame, end)
    if (isEmpty) throw this.#malformed(end)
    this.#hasCut = true
    this.#begin(frame, end + 1)
  }

  #buildElements(frame: Frame, end: number): boolean {
    const elements = this.#parse(frame.from, end, '[', ']') as unknown[]
    const built = this.#elements(frame)
    for (const element of elements) built.push(element)
    return elements.length === 0
  }

  #buildFields(frame: Frame, end: number): boolean {
    const fields = Object.entries(this.#parse(frame.from, end, '{', '}') as object)
    const built = this.#fields(frame)
    for (const [name, value] of fields) built.set(name, value)
    return fields.length === 0
  }

  #elements(frame: Frame): unknown[] {
    frame.built ??= []
    return frame.built as unknown[]
  }

  #fields(frame: Frame): Map<string, unknown> {
    frame.built ??= new Map()
    return frame.built as Map<string, unknown>
  }

  #close(at: number, char: number): void {
    const frame = this.#frames.pop()
    if (!frame || frame.isArray !== (char === 0x5d)) throw this.#malformed(at)
    if (frame.built === undefined && !this.#isLarge(frame, at)) return
    if (frame.builtEnd > 0) this.#passBuilt(frame, at)
    else if (frame.built || !isBlank(this.#text.slice(frame.from, at))) this.#build(frame, at)
    const value = frame.isArray ? this.#elements(frame) : toObject(this.#fields(frame))
    this.#attach(value, frame.openAt, at + 1)
  }

  /** Passes a built value to the array or object around it. */
  #attach(value: unknown, openAt: number, end: number): void {
    this.#hasCut = true
    const frame = this.#frames.at(-1)
    if (!frame) {
      if (this.#resultEnd > 0 || !isBlank(this.#text.slice(0, openAt))) throw this.#malformed(openAt)
      this.#result = value
      this.#resultEnd = end
      return
    }
    if (frame.memberAt > frame.from) this.#build(frame, frame.memberAt - 1)
    if (frame.isArray) this.#elements(frame).push(value)
    else this.#fields(frame).set(this.#nameAt(frame), value)
    const valueAt = frame.isArray ? frame.memberAt : frame.colonAt + 1
    if (frame.builtEnd > 0 || !isBlank(this.#text.slice(valueAt, openAt))) throw this.#malformed(openAt)
    frame.builtEnd = end
  }

  #nameAt({ memberAt, colonAt }: Frame): string {
    const name = colonAt > memberAt ? this.#parse(memberAt, colonAt, '', '') : undefined
    if (typeof name !== 'string') throw this.#malformed(memberAt)
    return name
  }

  #parse(from: number, end: number, before: string, after: string): unknown {
    const isAll = from === 0 && end === this.#text.length
    const piece = isAll ? this.#text : before + this.#text.slice(from, end) + after
    try {
      return parseKnown(piece, this.#longNumberAt >= from)
    } catch (error) {
      throw isAll ? error : this.#malformed(from)
    }
  }

  /** A small text is parsed whole, because the engine's error message is more precise. */
  #malformed(at: number): MalformedJson {
    const text = this.#text
    if (text.length <= RUN.chars) {
      const error = complaintOf(text)
      if (error) return error
    }
    const lines = text.slice(0, at).split('\n')
    const column = (lines.at(-1)?.length ?? 0) + 1
    return new MalformedJson(
      `The body is not valid JSON: it has an error near line ${lines.length}, column ${column}. Correct it there`,
    )
  }
}

function complaintOf(text: string): MalformedJson | undefined {
  try {
    parseKnown(text, false)
  } catch (error) {
    if (error instanceof MalformedJson) return error
  }
  return undefined
}
