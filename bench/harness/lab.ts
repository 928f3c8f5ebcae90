// Where a bench works: a temporary folder, and everything that has to be undone when it ends, however it ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Undo = () => Promise<void>

export class Lab {
  readonly folder: string
  readonly #undo: Undo[]
  readonly #tell: (line: string) => void
  #isClosed = false

  constructor(folder: string, tell: (line: string) => void) {
    this.folder = folder
    this.#tell = tell
    this.#undo = [() => rm(folder, { recursive: true, force: true })]
  }

  /** What happens meanwhile, for the person who waits. */
  tell(line: string): void {
    this.#tell(line)
  }

  /** Remembers how to undo something that was just begun; undoes it immediately when the lab is already closing. */
  onClose(undo: Undo): void {
    if (this.#isClosed) void undo().catch((error) => this.#tell(String(error)))
    else this.#undo.push(undo)
  }

  /** Undoes everything, the last thing first; what fails is reported and does not keep the rest. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop())
      await undo().catch((error) => this.#tell(String(error)))
  }
}

export async function openLab(tell: (line: string) => void): Promise<Lab> {
  return new Lab(await mkdtemp(join(tmpdir(), 'rapport-bench-')), tell)
}
