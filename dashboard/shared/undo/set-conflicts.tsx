// After a bulk edit or an import was undone: the values that were changed since, chosen one by one.
import { Button, Stack, Text } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import type { SetConflict } from '../../../contract/undo.ts'
import { toastProgress } from '../../ui/progress-toast.tsx'
import { type Attribute, objectQuery } from '../api/objects.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { toast } from '../toast.ts'
import { RecordChip } from '../values/record-chip.tsx'
import { invalidateRecords } from './invalidate-records.ts'
import { undoChange } from './undo-changes.ts'
import { Conflict } from './undo-conflict.tsx'

/** Records that the dialog lists; the values of the others stay. */
const SHOWN = 100

export interface OfObject {
  org: string
  /** The object's slug. */
  object: string
}

const keyOf = ({ recordId, version, attributeSlug }: SetConflict) => `${recordId} ${version} ${attributeSlug}`

/** The changes that have a chosen value, each with its chosen attributes. */
function chosenChanges(conflicts: readonly SetConflict[], chosen: ReadonlySet<string>) {
  const changes = new Map<string, { recordId: string; version: number; overwrite: string[] }>()
  for (const conflict of conflicts.filter((one) => chosen.has(keyOf(one)))) {
    const { recordId, version, attributeSlug } = conflict
    const change = changes.get(`${recordId} ${version}`) ?? { recordId, version, overwrite: [] }
    change.overwrite.push(attributeSlug)
    changes.set(`${recordId} ${version}`, change)
  }
  return [...changes.values()]
}

/** One after the other. @throws ApiError of the first that is refused; those before it are restored */
async function restoreChosen(
  client: QueryClient,
  { org, object }: OfObject,
  changes: ReturnType<typeof chosenChanges>,
): Promise<void> {
  const progress = toastProgress('Restoring', changes.length)
  try {
    for (const [done, { recordId, version, overwrite }] of changes.entries()) {
      await undoChange({ org, object, recordId, version }, { overwrite })
      progress.done(done + 1)
    }
  } finally {
    progress.end()
    invalidateRecords(client, org)
  }
}

/** Conflicts by record, in their order. */
const byRecord = (conflicts: readonly SetConflict[]): [string, SetConflict[]][] => [
  ...Map.groupBy(conflicts, ({ recordId }) => recordId),
]

function useChosen(conflicts: readonly SetConflict[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const restorable = conflicts.filter(({ code }) => code === 'value_changed').map(keyOf)
  const choose = (key: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, key] : [...before].filter((one) => one !== key)))
  const isWhole = chosen.size === restorable.length
  return { chosen, choose, isWhole, toggleAll: () => setChosen(new Set(isWhole ? [] : restorable)) }
}

interface RecordProps {
  objectId: string
  attributes: readonly Attribute[]
  conflicts: readonly SetConflict[]
  chosen: ReadonlySet<string>
  choose(key: string, isChosen: boolean): void
}

function RecordConflicts({ objectId, attributes, conflicts, chosen, choose }: RecordProps) {
  const [{ recordId = '' } = {}] = conflicts
  return (
    <fieldset className="stack gap-8">
      <legend>
        <RecordChip objectId={objectId} recordId={recordId} />
      </legend>
      {conflicts.map((conflict) => (
        <Conflict
          key={keyOf(conflict)}
          attribute={attributes.find(({ slug }) => slug === conflict.attributeSlug)}
          conflict={conflict}
          isChosen={chosen.has(keyOf(conflict))}
          onChoose={(isChosen) => choose(keyOf(conflict), isChosen)}
        />
      ))}
    </fieldset>
  )
}

interface DialogProps extends OfObject {
  conflicts: readonly SetConflict[]
  onClose(): void
}

export function SetConflictsDialog({ org, object: slug, conflicts, onClose }: DialogProps) {
  const client = useQueryClient()
  const { data: object } = useQuery(objectQuery(org, slug))
  const records = byRecord(conflicts)
  const shown = records.slice(0, SHOWN)
  const { chosen, choose, isWhole, toggleAll } = useChosen(shown.flatMap(([, ofRecord]) => ofRecord))
  const changes = chosenChanges(conflicts, chosen)
  const restore = async () => {
    await restoreChosen(client, { org, object: slug }, changes)
    toast(`${counted(chosen.size, 'value', 'values')} restored`)
  }
  return (
    <ConfirmDialog
      title={`${counted(conflicts.length, 'value was', 'values were')} not restored`}
      confirm={
        chosen.size === 0 ? 'Keep all as they are' : `Restore ${counted(chosen.size, 'value', 'values')}`
      }
      dismiss="Close"
      isHarmless
      onConfirm={restore}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text>Everything else was undone. Choose the values that get their earlier value anyway.</Text>
        <Button variant="default" size="compact-sm" className="start" onClick={toggleAll}>
          {isWhole ? 'Choose none' : 'Choose all'}
        </Button>
        {shown.map(([recordId, ofRecord]) => (
          <RecordConflicts
            key={recordId}
            objectId={object?.id ?? slug}
            attributes={object?.attributes ?? []}
            conflicts={ofRecord}
            chosen={chosen}
            choose={choose}
          />
        ))}
        {records.length > SHOWN && (
          <Text c="dimmed">
            {counted(records.length - SHOWN, 'more record is', 'more records are')} not listed: the history of
            each restores its earlier values.
          </Text>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
