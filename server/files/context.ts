// What files use of the service.
import type { BaseContext } from '../db/base-context.ts'
import type { FileStorage } from './storage.ts'

export interface FileContext extends BaseContext {
  /** Where the bytes of files are. */
  files: FileStorage
  /** The context in a cell. @throws 503 unavailable */
  inCell(cell: number): FileContext
}
