// What a step of an erasure is.
import type { ErasureCounts, PrivacyRequest } from '../../../contract/privacy.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import type { Markers } from '../markers.ts'
import type { Erasure } from '../store.ts'

export interface ErasureWork {
  ctx: Context
  erasure: Erasure
  markers: Markers
}

export interface ErasureBatchWork extends ErasureWork {
  tx: Db
}

/** What one transaction did; all of it is saved in the same one. */
export interface ErasureBatch {
  /** Whether the step has ended. */
  isDone: boolean
  /** Where the next batch goes on. */
  place?: string | undefined
  counts?: Partial<ErasureCounts>
  subjects?: readonly string[]
  files?: readonly string[]
  /** The next batch comes after a pause. */
  waitsFor?: PrivacyRequest['waitsFor']
}

/** @param Found what was read before the transaction, such as files and packed results; it removes nothing */
export interface ErasureStep<Found = void> {
  name: string
  before?: (work: ErasureWork) => Promise<Found>
  batch: (work: ErasureBatchWork, found: Found) => Promise<ErasureBatch>
}
