// Positions of writes: of the readers that this process follows by itself, and as texts that callers send back.

/** The text: the position and the system identifier of the server, each with base 36. */
const TEXT = /^([0-9a-z]{1,11})-([0-9a-z]{1,13})$/

const systemText = (system: string) => BigInt(system).toString(36)

/** @param system the system identifier of the primary, decimal */
export const positionText = (position: number, system: string): string =>
  `${position.toString(36)}-${systemText(system)}`

/** @returns Infinity for what is no position of this server: no replica is known to have reached it */
export function positionOf(text: string, system: string): number {
  const [, position, of] = TEXT.exec(text) ?? []
  if (position === undefined || of !== systemText(system)) return Number.POSITIVE_INFINITY
  return Number.parseInt(position, 36)
}

interface Write {
  position: number
  /** When it was committed at the latest, in milliseconds that only increase. */
  at: number
}

/** The last write of each reader. */
export class WritePositions {
  readonly #keptMs: number
  readonly #last = new Map<string, Write>()

  /** @param keptMs older writes are in every replica that is read */
  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  /** @param position Infinity where it is unknown: no replica has it until `prune` knows better */
  add(reader: string, { position, at }: Write): void {
    const known = this.#last.get(reader)
    this.#last.set(reader, { position: Math.max(position, known?.position ?? 0), at })
  }

  of(reader: string): number {
    return this.#last.get(reader)?.position ?? 0
  }

  /** @param seen a position of the primary, and a time before it was asked for */
  prune(seen: Write): void {
    for (const [reader, write] of this.#last) {
      if (write.at < seen.at - this.#keptMs) this.#last.delete(reader)
      else if (write.position === Number.POSITIVE_INFINITY && write.at <= seen.at)
        this.#last.set(reader, { ...write, position: seen.position })
    }
  }
}
