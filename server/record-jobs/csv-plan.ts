// Plans how a job reads the cells of a CSV file: by its settings, or by the settings of its dashboard import.
import { creatingColumns } from '../imports/creating-columns.ts'
import { type CellPlan, planOf as planOfImport } from '../imports/settings.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import type { Mapping } from '../records/import/columns.ts'
import { cellFormatOf, mappingOf } from './csv-columns.ts'
import type { JobOfCaller } from './save-batch.ts'
import type { OpenJob } from './store.ts'

/** With matchOn, each row that is not skipped updates its match. */
const columnsOf = (model: ObjectModel, { settings }: OpenJob, { columns }: Mapping) => {
  const { createMissing = false, matchOn, duplicateRules, duplicates } = settings
  const hasOthers = duplicateRules || duplicates === 'skip'
  const creating = { createsMissing: createMissing, matchOn, duplicates: hasOthers ? duplicates : undefined }
  return creatingColumns(model, creating, columns)
}

/** @throws 400 validation_error that lists attributes that the object no longer has */
export function planOf(model: ObjectModel, job: JobOfCaller): CellPlan {
  const { caller, settings, importSettings } = job
  const { headers = [], emptyCells = 'keep' } = settings
  if (importSettings) return planOfImport(model, headers, importSettings, caller)
  const mapping = mappingOf(model, headers, settings)
  return {
    ...{ columns: [...columnsOf(model, job, mapping)], idIndex: mapping.idIndex, matched: undefined },
    ...{ format: cellFormatOf(settings), empty: emptyCells, fixed: [], replacements: new Map() },
  }
}
