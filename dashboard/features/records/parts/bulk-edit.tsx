// Gives all selected records one value; what was refused is told, record by record.
import { Button, Group, List, Progress, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { BulkResult } from '../../../../contract/records.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { patchRecords, recordsKey } from '../../../shared/api/records.ts'
import { undoChangeSet } from '../../../shared/undo/undo-set.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { ValueEditor } from '../../../shared/values/value-editor.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'
import { counted } from './counted.ts'

interface BulkEditProps {
  object: ObjectWithAttributes
  ids: readonly string[]
  onClose(): void
}

function useBulkEdit({ object, ids, onClose }: BulkEditProps) {
  const org = useOrg()
  const client = useQueryClient()
  const [slug, setSlug] = useState<string | null>(null)
  const [value, setValue] = useState<unknown>(null)
  const [done, setDone] = useState<number>()
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const [error, setError] = useState<unknown>()
  const save = async () => {
    if (slug === null) return
    setDone(0)
    setError(undefined)
    const changeSetId = crypto.randomUUID()
    const note = (size: number) =>
      pushUndo({
        label: `${counted(object, size)} changed`,
        undo: () => undoChangeSet(client, { org, object: object.slug, id: changeSetId, size }),
      })
    try {
      const data = { [slug]: value }
      const refused = await patchRecords(org, object.slug, { ids, data, changeSetId }, setDone)
      setFailed(refused)
      if (refused.length < ids.length) note(ids.length - refused.length)
      if (refused.length > 0) return
      onClose()
    } catch (refusal) {
      setError(refusal)
    } finally {
      setDone(undefined)
      await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    }
  }
  const choose = (chosen: string | null) => {
    setSlug(chosen)
    setValue(null)
  }
  return { slug, choose, value, setValue, done, failed, error, save }
}

function Failure({ object, id, message }: { object: ObjectWithAttributes; id: string; message: string }) {
  const name = useRecordName({ objectId: object.id, recordId: id })
  return (
    <li>
      <strong>{name ?? '…'}</strong>: {message}
    </li>
  )
}

function Failures({
  object,
  ids,
  failed,
}: Omit<BulkEditProps, 'onClose'> & { failed: BulkResult['failed'] }) {
  if (failed.length === 0) return null
  return (
    <div role="alert">
      <Text>
        {counted(object, ids.length - failed.length)} changed. {counted(object, failed.length)} could not be:
      </Text>
      <List size="sm" mt={4} mah={200} className="scroll">
        {failed.map(({ index, error }) => (
          <Failure key={index} object={object} id={ids[index] ?? ''} message={error} />
        ))}
      </List>
    </div>
  )
}

function Fields({ object, edit }: { object: ObjectWithAttributes; edit: ReturnType<typeof useBulkEdit> }) {
  const attribute = object.attributes.find(({ slug }) => slug === edit.slug)
  return (
    <>
      <Select
        label="Attribute"
        data={object.attributes.map(({ slug, name }) => ({ value: slug, label: name }))}
        value={edit.slug}
        onChange={edit.choose}
        searchable
        data-autofocus
      />
      {attribute && (
        <ValueEditor
          key={attribute.slug}
          attribute={attribute}
          label={attribute.name}
          value={edit.value}
          onChange={edit.setValue}
        />
      )}
      {attribute && edit.value === null && !attribute.isRequired && (
        <Text c="dimmed">Without a value, {attribute.name} is cleared.</Text>
      )}
    </>
  )
}

export function BulkEdit(props: BulkEditProps) {
  useReturnFocus()
  const { object, ids, onClose } = props
  const edit = useBulkEdit(props)
  const { done, failed, error } = edit
  const isBusy = done !== undefined
  return (
    <Dialog onClose={onClose} title={`Edit ${counted(object, ids.length)}`} closeOnClickOutside={!isBusy}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void edit.save()
        }}
      >
        <Stack>
          <Fields object={object} edit={edit} />
          {isBusy && (
            <Progress
              value={(done / ids.length) * 100}
              aria-label={`${formatCount(done)} of ${formatCount(ids.length)} changed`}
            />
          )}
          <Failures object={object} ids={ids} failed={failed} />
          {error !== undefined && (
            <Text c="var(--danger)" role="alert">
              {messageOf(error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              {failed.length > 0 ? 'Close' : 'Cancel'}
            </Button>
            <Button type="submit" loading={isBusy} disabled={edit.slug === null}>
              Change {counted(object, ids.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
