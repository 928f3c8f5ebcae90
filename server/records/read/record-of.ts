// Requirements of a request for a record: an id that can exist, and for writes an active object.
import { isUuid } from '../../../contract/common.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'

export interface RecordOf {
  model: ObjectModel
  record: StoredRecord
  /** The id of this record, if the request named a record that was merged into it. */
  mergedInto?: string
  /** JSON text of the expanded references, if they were requested. */
  expanded?: string | undefined
}

/** @throws 409 object_inactive */
export function requireActive(model: ObjectModel): void {
  if (!model.isActive)
    throw new AppError(
      'object_inactive',
      `${model.slug} is inactive, so its records are read-only: activate the object first`,
    )
}

export const requireRecordId = (id: string): string => {
  if (!isUuid(id)) throw notFound('record')
  return id.toLowerCase()
}

/** The valid ids among `ids`, in lower case, without duplicates. */
export const knownIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter(isUuid).map((id) => id.toLowerCase())),
]
