// The actions for the selected records.
import { Box, Button, CloseButton, Tooltip } from '@mantine/core'
import { PencilLine, Trash2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ownerAttribute } from '../../../../contract/standard-objects.ts'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { toastsAbove } from '../../../ui/toasts-above.ts'
import { listRecordIds } from '../api/record-sets.ts'
import { MergeSelected } from '../merge/merge-selected.tsx'
import { counted } from '../table/counted.ts'
import type { Rows } from '../table/use-rows.ts'
import { BulkDelete } from './bulk-delete.tsx'
import { BulkEdit } from './bulk-edit.tsx'
import { ExportSelected } from './export-selected.tsx'
import { RunSelected } from './run-selected.tsx'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  object: ObjectWithAttributes
  rows: Rows
  selection: Selection
  /** The visible columns. */
  columns: readonly TableColumn[]
}

function SelectAll({ object, rows, selection }: SelectionBarProps) {
  const org = useOrg()
  const [isBusy, setBusy] = useState(false)
  const total = rows.total ?? 0
  if (selection.ids.size >= total || selection.isCut) return null
  const selectAll = async () => {
    setBusy(true)
    try {
      const { ids, isComplete } = await listRecordIds(org, object.slug, rows.shown)
      selection.set(ids, !isComplete)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="subtle" loading={isBusy} onClick={() => void selectAll()}>
      Select all {rows.atLeast === undefined && formatCount(total)} that match
    </Button>
  )
}

export function SelectionBar(props: SelectionBarProps) {
  const { object, selection, rows, columns } = props
  const [doing, setDoing] = useState<'edit' | 'owner' | 'delete'>()
  const ids = [...selection.ids]
  const close = () => setDoing(undefined)
  const owner = ownerAttribute(object.attributes)
  const reason = object.isActive ? undefined : 'This object is inactive: its records are read-only'
  return (
    <Box
      component="section"
      ref={toastsAbove}
      className="row fixed wrap gap-8"
      px={16}
      py={8}
      bg="var(--surface-selected)"
      aria-label="Selected records"
    >
      <span role="status">
        {counted(object, ids.length)} selected
        {selection.isCut && ', the most that can be selected'}
      </span>
      <SelectAll {...props} />
      <div className="grow" />
      {owner && (
        <Button
          variant="default"
          leftSection={<UserRound size={14} aria-hidden />}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => setDoing('owner')}
        >
          Set {inSentence(owner.name)}
        </Button>
      )}
      <Tooltip label={reason ?? 'Set one value for all of them'}>
        <Button
          variant="default"
          leftSection={<PencilLine size={14} aria-hidden />}
          disabled={reason !== undefined}
          onClick={() => setDoing('edit')}
        >
          Edit
        </Button>
      </Tooltip>
      <MergeSelected object={object} ids={ids} locked={reason} onMerged={selection.clear} />
      <ExportSelected name={object.pluralName} columns={columns} rows={rows} ids={selection.ids} />
      <RunSelected object={object} ids={ids} />
      <Tooltip label={reason ?? 'Shows what else is removed before you confirm'}>
        <Button
          variant="default"
          c="var(--danger)"
          leftSection={<Trash2 size={14} aria-hidden />}
          disabled={reason !== undefined}
          onClick={() => setDoing('delete')}
        >
          Delete
        </Button>
      </Tooltip>
      <CloseButton aria-label="Clear selection" title="Clear selection (Esc)" onClick={selection.clear} />
      {doing === 'edit' && <BulkEdit object={object} ids={ids} onClose={close} />}
      {doing === 'owner' && <BulkEdit object={object} ids={ids} attribute={owner} onClose={close} />}
      {doing === 'delete' && (
        <BulkDelete object={object} ids={ids} onClose={close} onDeleted={selection.clear} />
      )}
    </Box>
  )
}
