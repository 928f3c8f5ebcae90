// The environment of a bench: a temporary folder, and the clean-up steps that run however the bench ends.
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

  /** Reports progress to the user. */
  tell(line: string): void {
    this.#tell(line)
  }

  /** Adds a clean-up step. Runs it immediately when the lab is already closing. */
  onClose(undo: Undo): void {
    if (this.#isClosed) void undo().catch((error) => this.#tell(String(error)))
    else this.#undo.push(undo)
  }

  /** Runs all clean-up steps, the last one first. A step that fails is reported, and the others still run. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop())
      await undo().catch((error) => this.#tell(String(error)))
  }
}

export async function openLab(tell: (line: string) => void): Promise<Lab> {
  return new Lab(await mkdtemp(join(tmpdir(), 'rapport-bench-')), tell)
}
