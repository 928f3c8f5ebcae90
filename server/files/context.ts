// The parts of the service that files use.
import type { BaseContext } from '../db/base-context.ts'
import type { FileStorage } from './storage.ts'

export interface FileContext extends BaseContext {
  files: FileStorage
  /** The context in a cell. @throws 503 unavailable */
  inCell(cell: number): FileContext
}
