// Merges the record of a page with other records, which are chosen first.

import { Text } from '@mantine/core'
import { useState } from 'react'
import { LOSERS_MAX } from '../../../../contract/limits.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
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
  const form = useDataForm<{ ids: string[] }>({
    initial: { ids: [] },
    save: async ({ ids }) => onChosen(ids),
    onClose,
  })
  const { ids } = form.values
  const isMany = ids.length > LOSERS_MAX
  return (
    <Dialog onClose={onClose} title={`Merge ${name}`}>
      <Form form={form}>
        <ReferencesPicker
          objectId={object.id}
          label={`${object.pluralName} to merge it with`}
          {...form.field('ids', (chosen: string[]) => chosen.filter((one) => one !== id))}
          error={isMany ? `Choose at most ${LOSERS_MAX}` : undefined}
          autoFocus
        />
        <Text c="dimmed">You choose which one stays, and its values, next.</Text>
        <FormEnd form={form} verb="Continue" isReady={ids.length > 0 && !isMany} />
      </Form>
    </Dialog>
  )
}

export function MergeWith(props: MergeWithProps) {
  const { object, id, onClose, onMerged } = props
  const [others, setOthers] = useState<string[]>()
  if (!others) return <Others {...props} onChosen={setOthers} />
  return <MergeDialog object={object} ids={[id, ...others]} onClose={onClose} onMerged={onMerged} />
}
