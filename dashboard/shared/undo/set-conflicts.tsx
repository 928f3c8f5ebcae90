// A dialog after undoing a change set. It lists the values that were changed since, and the user chooses
// which to restore.
import { Button, Group, Stack, Text } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import type { SetConflict } from '../../../contract/undo.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toastProgress } from '../../ui/progress-toast.tsx'
import { ApiError } from '../api/errors.ts'
import { type Attribute, objectQuery } from '../api/objects.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { toastError } from '../toast.ts'
import { useRecordName } from '../values/record-chip.tsx'
import { invalidateRecords } from './invalidate-records.ts'
import { undoChange } from './undo-changes.ts'
import { Conflict } from './undo-conflict.tsx'
import { useCloseElsewhere } from './use-close-elsewhere.ts'

/** The number of records that are listed first, and with each press of the button for more. */
const SHOWN = 100

export interface OfObject {
  org: string
  /** The object's slug. */
  object: string
}

const keyOf = ({ recordId, version, attributeSlug }: SetConflict) => `${recordId} ${version} ${attributeSlug}`

/** The changes with chosen values, each with its chosen attributes. */
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

interface Restored {
  count: number
  /** Values that were chosen but could not be restored, with the reason. */
  left: SetConflict[]
}

/** Shows a refusal of only this record, such as a deleted one. @throws ApiError for other errors */
async function restoreChange(
  { org, object }: OfObject,
  change: ReturnType<typeof chosenChanges>[number],
  changeSetId: string,
) {
  const { recordId, version, overwrite } = change
  try {
    const { conflicts } = await undoChange({ org, object, recordId, version }, { overwrite, changeSetId })
    const left = conflicts.filter(({ attributeSlug }) => overwrite.includes(attributeSlug))
    return { count: overwrite.length - left.length, left: left.map((one) => ({ recordId, version, ...one })) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error
    toastError(error)
    return { count: 0, left: [] }
  }
}

async function restoreChosen(
  client: QueryClient,
  of: OfObject,
  changes: ReturnType<typeof chosenChanges>,
  changeSetId: string,
): Promise<Restored> {
  const progress = toastProgress('Restoring', changes.length)
  const restored: Restored = { count: 0, left: [] }
  try {
    for (const [done, change] of changes.entries()) {
      const { count, left } = await restoreChange(of, change, changeSetId)
      restored.count += count
      restored.left.push(...left)
      progress.done(done + 1)
    }
  } finally {
    progress.end()
    invalidateRecords(client, of.org)
  }
  return restored
}

/** Conflicts grouped by record, in the original order. */
const byRecord = (conflicts: readonly SetConflict[]): [string, SetConflict[]][] => [
  ...Map.groupBy(conflicts, ({ recordId }) => recordId),
]

function useChosen(conflicts: readonly SetConflict[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const restorable = conflicts.filter(({ code }) => code === 'value_changed').map(keyOf)
  const choose = (key: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, key] : [...before].filter((one) => one !== key)))
  const isWhole = chosen.size === restorable.length
  const toggleAll = () => setChosen(new Set(isWhole ? [] : restorable))
  return { chosen, choose, isWhole, isPossible: restorable.length > 0, toggleAll }
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
  const name = useRecordName({ objectId, recordId }) ?? '…'
  return (
    <fieldset className="stack gap-8">
      <legend>{name}</legend>
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

export interface RestoredSet {
  id: string
  /** The number of records. */
  size: number
  /** "3 values restored". */
  label: string
}

interface DialogProps extends OfObject {
  conflicts: readonly SetConflict[]
  /** Called with the change set of the restored values. */
  onRestored(set: RestoredSet): void
  /** @param left the chosen values that could not be restored */
  onClose(left: readonly SetConflict[]): void
}

type ListProps = Pick<DialogProps, 'org' | 'object'> & {
  records: readonly [string, SetConflict[]][]
  /** The number of records that are listed. */
  shown: number
  choice: ReturnType<typeof useChosen>
  onMore(): void
}

function ConflictList({ org, object: slug, records, shown, choice, onMore }: ListProps) {
  const { data: object } = useQuery(objectQuery(org, slug))
  return (
    <>
      {records.slice(0, shown).map(([recordId, conflicts]) => (
        <RecordConflicts
          key={recordId}
          objectId={object?.id ?? slug}
          attributes={object?.attributes ?? []}
          conflicts={conflicts}
          {...choice}
        />
      ))}
      {records.length > shown && (
        <Group gap="xs">
          <Button variant="default" onClick={onMore}>
            Show more
          </Button>
          <Text c="dimmed">
            {counted(records.length - shown, 'more record is', 'more records are')} not listed
          </Text>
        </Group>
      )}
    </>
  )
}

export function SetConflictsDialog({ conflicts, onRestored, onClose, ...of }: DialogProps) {
  const client = useQueryClient()
  const records = byRecord(conflicts)
  const [shown, setShown] = useState(SHOWN)
  const choice = useChosen(records.slice(0, shown).flatMap(([, ofRecord]) => ofRecord))
  const left = useRef<readonly SetConflict[]>([])
  const close = () => onClose(left.current)
  useCloseElsewhere(of.org, close)
  const title = `${counted(conflicts.length, 'value was', 'values were')} not restored`
  const onMore = () => setShown(shown + SHOWN)
  const list = <ConflictList {...of} {...{ records, shown, choice, onMore }} />
  if (!choice.isPossible)
    return (
      <Dialog title={title} onClose={close}>
        <Stack gap="md">
          {list}
          <Button variant="default" onClick={close} data-autofocus>
            Close
          </Button>
        </Stack>
      </Dialog>
    )
  const restore = async () => {
    const [id, changes] = [crypto.randomUUID(), chosenChanges(conflicts, choice.chosen)]
    const restored = await restoreChosen(client, of, changes, id)
    if (restored.count > 0)
      onRestored({
        id,
        size: changes.length,
        label: `${counted(restored.count, 'value', 'values')} restored`,
      })
    left.current = restored.left
  }
  return (
    <ConfirmDialog
      title={title}
      confirm={`Restore ${counted(choice.chosen.size, 'value', 'values')}`}
      dismiss="Keep all as they are"
      isIncomplete={choice.chosen.size === 0}
      isHarmless
      onConfirm={restore}
      onClose={close}
    >
      <Stack gap="md">
        <Text>Everything else was undone. Choose the values that get their earlier value anyway.</Text>
        <Button variant="default" size="compact-sm" className="start" onClick={choice.toggleAll}>
          {choice.isWhole ? 'Choose none' : 'Choose all'}
        </Button>
        {list}
      </Stack>
    </ConfirmDialog>
  )
}
