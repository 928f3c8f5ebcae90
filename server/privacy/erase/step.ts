// The types of a step of an erasure.
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

/** What one transaction did, saved in the same transaction. */
export interface ErasureBatch {
  isDone: boolean
  /** Where the next batch continues. */
  place?: string | undefined
  counts?: Partial<ErasureCounts>
  subjects?: readonly string[]
  files?: readonly string[]
  /** Set: the next batch comes after a pause. */
  waitsFor?: PrivacyRequest['waitsFor']
}

/** @param Found what `before` reads outside the transaction, such as files and packed results; it removes nothing */
export interface ErasureStep<Found = void> {
  name: string
  before?: (work: ErasureWork) => Promise<Found>
  batch: (work: ErasureBatchWork, found: Found) => Promise<ErasureBatch>
}
