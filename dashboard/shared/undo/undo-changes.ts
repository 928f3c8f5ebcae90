// Undoes changes of records through the service. Later changes by other users stay, unless `overwrite` names them.
import type { UndoBody } from '../../../contract/undo.ts'
import { request } from '../api/client.ts'

export interface ChangeOf {
  org: string
  /** The object's slug. */
  object: string
  recordId: string
  /** The version that the change created. */
  version: number
}

interface UndoOptions extends Pick<UndoBody, 'overwrite'> {
  dryRun?: boolean
  /** The id under which several restorations can be undone together. */
  changeSetId?: string
}

/** @throws ApiError */
export const undoChange = (
  { org, object, recordId, version }: ChangeOf,
  { overwrite, dryRun, changeSetId }: UndoOptions = {},
) =>
  request('POST /objects/:objectId/records/:recordId/undo', {
    org,
    params: { objectId: object, recordId },
    query: { dryRun },
    body: { version, ...(overwrite && { overwrite }) },
    changeSetId,
  })
