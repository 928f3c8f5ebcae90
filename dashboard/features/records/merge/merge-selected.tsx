// Merges the selected records.
import { Button, Tooltip } from '@mantine/core'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import { LOSERS_MAX } from '../../../../contract/limits.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { MergeDialog } from './merge-dialog.tsx'

const RECORDS_MAX = LOSERS_MAX + 1

interface MergeSelectedProps {
  object: ObjectWithAttributes
  ids: readonly string[]
  /** Why the records cannot be changed; undefined when they can. */
  locked: string | undefined
  onMerged(): void
}

export function MergeSelected({ object, ids, locked, onMerged }: MergeSelectedProps) {
  const [isOpen, setOpen] = useState(false)
  const isPossible = ids.length >= 2 && ids.length <= RECORDS_MAX
  const tip = isPossible
    ? 'Choose which one stays, and its values'
    : `Select 2 to ${RECORDS_MAX} records to merge them`
  return (
    <>
      <Tooltip label={locked ?? tip}>
        <Button
          variant="default"
          leftSection={<Merge size={14} aria-hidden />}
          disabled={locked !== undefined || !isPossible}
          onClick={() => setOpen(true)}
        >
          Merge
        </Button>
      </Tooltip>
      {isOpen && <MergeDialog object={object} ids={ids} onClose={() => setOpen(false)} onMerged={onMerged} />}
    </>
  )
}
