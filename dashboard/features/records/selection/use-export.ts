// Exports the current view as a CSV file.
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { type TableColumn, tableColumns } from '../../../shared/table/columns.ts'
import { toast, toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { localDay } from '../../../shared/values/local-input.ts'
import { download } from '../../../ui/download.ts'
import { exportRecords } from '../api/record-sets.ts'
import { recordSetOf } from '../view/search-body.ts'
import type { ShownView } from '../view/use-view.ts'

const slugs = (columns: readonly TableColumn[]) =>
  columns.filter(({ isHidden }) => !isHidden).map(({ slug }) => slug)

const dated = (name: string) => `${name} ${localDay(Date.now())}.csv`

export function useExport(object: ObjectWithAttributes, view: ShownView) {
  const org = useOrg()
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    toast(`Preparing a file of ${object.pluralName.toLowerCase()}`)
    const fileName = dated(view.saved?.name ?? object.pluralName)
    const columns = slugs(tableColumns(object.attributes, view.state.columns))
    try {
      const set = recordSetOf(view.state)
      download(await exportRecords(org, object.slug, { columns, ...set, fileName }), fileName)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start: () => void start() }
}
