// A text for a client that may have to be made a second time, from another snapshot. The part that was already written
// is then compared, not written again. The client receives one of the two texts whole, or an incomplete one.
import { createHash, type Hash } from 'node:crypto'

/** The text differs from what was written before. */
export class OtherTextError extends Error {
  override readonly name = 'OtherTextError'

  constructor() {
    super('The records were changed while the export was read a second time')
  }
}

type Write = (text: string) => Promise<void>

export class ResumedText {
  readonly #write: Write
  readonly #written: Hash = createHash('sha256')
  #bytes = 0

  constructor(write: Write) {
    this.#write = write
  }

  /** Makes the text once: call `write` for each piece, then `end`. Both throw OtherTextError. */
  begin(): { write: Write; end(): void } {
    const [expected, until] = [this.#written.copy().digest('hex'), this.#bytes]
    const again = createHash('sha256')
    let compared = 0
    const write: Write = async (text) => {
      if (compared === until) return this.#add(text)
      const bytes = Buffer.from(text)
      const known = bytes.subarray(0, until - compared)
      again.update(known)
      compared += known.length
      if (compared < until) return
      if (again.digest('hex') !== expected) throw new OtherTextError()
      if (bytes.length > known.length) await this.#add(bytes.subarray(known.length).toString())
    }
    const end = () => {
      if (compared < until) throw new OtherTextError()
    }
    return { write, end }
  }

  async #add(text: string): Promise<void> {
    await this.#write(text)
    this.#written.update(text)
    this.#bytes += Buffer.byteLength(text)
  }
}
