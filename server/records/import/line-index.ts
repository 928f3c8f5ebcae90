// The line of a byte offset in a streamed file. Lines before the last question are forgotten.
const LF = 0x0a
const CR = 0x0d
const FORGET_AT = 4096

/** LF, alone or after CR; CR alone, as Macs before OS X had it; undefined when `chunk` does not show it. */
function newlineOf(chunk: Buffer): number | undefined {
  if (chunk.includes(LF)) return LF
  const at = chunk.indexOf(CR)
  return at === -1 || at === chunk.length - 1 ? undefined : CR
}

export class LineIndex {
  #newline: number | undefined
  /** Places of the newlines that no question has passed yet. */
  readonly #ahead: number[] = []
  #first = 0
  #passed = 0
  #lastPassed = -1
  /** Bytes seen. */
  size = 0

  add(chunk: Buffer): void {
    this.#newline ??= newlineOf(chunk)
    const newline = this.#newline ?? LF
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1))
      this.#ahead.push(this.size + at)
    this.size += chunk.length
  }

  /** The line, from 1, that byte `at` is on. Questions go forward through the file. */
  lineAt(at: number): number {
    while (this.#first < this.#ahead.length && (this.#ahead[this.#first] ?? 0) < at) {
      this.#lastPassed = this.#ahead[this.#first++] ?? 0
      this.#passed++
    }
    this.#forget()
    return this.#passed + 1
  }

  #forget(): void {
    if (this.#first < FORGET_AT) return
    this.#ahead.splice(0, this.#first)
    this.#first = 0
  }

  /** The line that ends at byte `end`, with or without a newline of its own. */
  lastLineBefore(end: number): number {
    const line = this.lineAt(end)
    return this.#lastPassed === end - 1 ? line - 1 : line
  }
}
