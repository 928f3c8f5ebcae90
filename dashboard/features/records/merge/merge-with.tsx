// Merges the record of a page with other records, which are chosen first.

import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LOSERS_MAX } from '../../../../contract/limits.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ReferencesPicker } from '../../../shared/values/reference-picker.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'

interface MergeWithProps {
  object: ObjectWithAttributes
  id: string
  name: string
  onClose(): void
  onMerged(winnerId: string): void
}

function Others({
  object,
  id,
  name,
  onClose,
  onChosen,
}: Omit<MergeWithProps, 'onMerged'> & { onChosen(ids: string[]): void }) {
  const [ids, setIds] = useState<string[]>([])
  const others = ids.filter((one) => one !== id)
  const isMany = others.length > LOSERS_MAX
  return (
    <Dialog onClose={onClose} title={`Merge ${name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (others.length > 0 && !isMany) onChosen(others)
        }}
      >
        <Stack>
          <ReferencesPicker
            objectId={object.id}
            label={`${object.pluralName} to merge it with`}
            value={ids}
            onChange={(next) => setIds(next.filter((one) => one !== id))}
            error={isMany ? `Choose at most ${LOSERS_MAX}` : undefined}
            autoFocus
          />
          <Text c="dimmed">You choose which one stays, and its values, next.</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={others.length === 0 || isMany}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export function MergeWith(props: MergeWithProps) {
  const { object, id, onClose, onMerged } = props
  const [others, setOthers] = useState<string[]>()
  if (!others) return <Others {...props} onChosen={setOthers} />
  return <MergeDialog object={object} ids={[id, ...others]} onClose={onClose} onMerged={onMerged} />
}
