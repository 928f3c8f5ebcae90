// Sets an attribute of all selected records to a value, or clears it. Refused records are listed with reasons.
import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { BulkResult } from '../../../../contract/records.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { patchRecords, recordsKey } from '../../../shared/api/records.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { offerSetUndo } from '../../../shared/undo/offer-set-undo.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { ValueEditor } from '../../../shared/values/value-editor.tsx'
import { holdsMany, TYPES } from '../../../types/types.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TakeLeft, useLeftText } from '../../../ui/left-text.ts'
import { Select } from '../../../ui/select.tsx'
import { useOpenList } from '../../../ui/use-open-list.ts'
import { counted } from '../table/counted.ts'

interface BulkEditProps {
  object: ObjectWithAttributes
  ids: readonly string[]
  /** The attribute to set; by default the user chooses it in the dialog. */
  attribute?: Attribute | undefined
  onClose(): void
}

/** @returns a function that writes the value to all records, offers Undo, and resolves to the refused records */
function useWriteAll({ object, ids }: BulkEditProps) {
  const org = useOrg()
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  const offerUndo = (id: string, size: number) =>
    offerSetUndo(
      { client, showConflicts },
      { ...{ org, object: object.slug, id, size }, label: `${counted(object, size)} changed` },
    )
  return async (slug: string, value: unknown, onProgress: (done: number) => void) => {
    const changeSetId = crypto.randomUUID()
    let size = 0
    const hear = (done: number) => {
      size = done
      onProgress(done)
    }
    try {
      const data = { [slug]: value }
      const refused = await patchRecords(org, object.slug, { ids, data, changeSetId }, hear)
      size -= refused.length
      return refused
    } finally {
      // Undo is also offered for records that were written before a failure.
      if (size > 0) offerUndo(changeSetId, size)
      await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
    }
  }
}

const emptyOf = (attribute: Attribute | undefined): unknown =>
  attribute && TYPES[attribute.type].isToggle && !attribute.isList ? false : null

function useBulkEdit(props: BulkEditProps) {
  const { object, onClose } = props
  const write = useWriteAll(props)
  const { isLeft, takeLeft } = useLeftText()
  const [slug, setSlug] = useState<string | null>(props.attribute?.slug ?? null)
  const attribute = object.attributes.find((one) => one.slug === slug)
  const [value, setValue] = useState(emptyOf(attribute))
  const [done, setDone] = useState<number>()
  const [failed, setFailed] = useState<BulkResult['failed']>([])
  const [error, setError] = useState<unknown>()
  const [isMissing, setMissing] = useState(false)
  const save = async (saved: unknown) => {
    if (slug === null || done !== undefined) return
    setDone(0)
    setError(undefined)
    setMissing(false)
    try {
      const refused = await write(slug, saved, setDone)
      setFailed(refused)
      if (refused.length === 0) onClose()
    } catch (refusal) {
      setError(refusal)
    } finally {
      setDone(undefined)
    }
  }
  const choose = (chosen: string | null) => {
    setSlug(chosen)
    setMissing(false)
    setValue(emptyOf(object.attributes.find((one) => one.slug === chosen)))
  }
  /** With a preset attribute, choosing from a list saves immediately. Leaving a field does not: it may mean cancel. */
  const change = (changed: unknown) => {
    setValue(changed)
    setMissing(false)
    const isChosen = attribute && TYPES[attribute.type].isChosen && !holdsMany(attribute)
    if (props.attribute && isChosen && !isEmpty(changed) && !isLeft()) void save(changed)
  }
  /** An empty field does not clear values. */
  const submit = () => (isEmpty(value) ? setMissing(true) : void save(value))
  return { attribute, choose, value, change, takeLeft, done, failed, error, isMissing, save, submit }
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

type Edit = ReturnType<typeof useBulkEdit>

function Fields({ object, edit, isPreset }: { object: ObjectWithAttributes; edit: Edit; isPreset: boolean }) {
  const { attribute, choose, value, change, takeLeft, isMissing } = edit
  return (
    <>
      {!isPreset && (
        <Select
          label="Attribute"
          data={object.attributes.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={attribute?.slug ?? null}
          onChange={choose}
          data-autofocus
        />
      )}
      {attribute && (
        <TakeLeft value={takeLeft}>
          <ValueEditor
            key={attribute.slug}
            attribute={attribute}
            label={attribute.name}
            value={value}
            onChange={change}
            error={isMissing ? 'Enter a value' : undefined}
            autoFocus={isPreset}
          />
        </TakeLeft>
      )}
    </>
  )
}

/** Clearing has a separate button. */
function ClearAll({ object, ids, edit }: Pick<BulkEditProps, 'object' | 'ids'> & { edit: Edit }) {
  const { attribute, done, save } = edit
  if (!attribute || attribute.isRequired) return null
  return (
    <Button
      variant="subtle"
      c="var(--danger)"
      mr="auto"
      disabled={done !== undefined}
      onClick={() => void save(null)}
    >
      Clear {inSentence(attribute.name)} on {counted(object, ids.length)}
    </Button>
  )
}

function Actions(props: BulkEditProps & { edit: Edit }) {
  const { object, ids, onClose, edit } = props
  const isBusy = edit.done !== undefined
  return (
    <Group justify="flex-end" gap="xs">
      <ClearAll object={object} ids={ids} edit={edit} />
      <Button variant="default" onClick={onClose} disabled={isBusy}>
        {edit.failed.length > 0 ? 'Close' : 'Cancel'}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!edit.attribute}>
        Change {counted(object, ids.length)}
      </Button>
    </Group>
  )
}

/** A separate component, because the dialog mounts its content later. */
function EditForm(props: BulkEditProps & { edit: Edit }) {
  const { object, ids, attribute, edit } = props
  const { done, failed, error } = edit
  const form = useOpenList<HTMLFormElement>()
  return (
    <form
      ref={form}
      // No question before leaving: the entered value is being written, or was written.
      data-asks={done !== undefined || failed.length > 0 ? 'no' : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        edit.submit()
      }}
    >
      <Stack>
        <Fields object={object} edit={edit} isPreset={attribute !== undefined} />
        {done !== undefined && (
          <Progress
            value={(done / ids.length) * 100}
            aria-label={`${formatCount(done)} of ${formatCount(ids.length)} changed`}
          />
        )}
        <Failures object={object} ids={ids} failed={failed} />
        <FormError error={error} />
        <Actions {...props} />
      </Stack>
    </form>
  )
}

export function BulkEdit(props: BulkEditProps) {
  const { object, ids, attribute, onClose } = props
  const edit = useBulkEdit(props)
  const what = counted(object, ids.length)
  const title = attribute ? `Set ${inSentence(attribute.name)} on ${what}` : `Edit ${what}`
  return (
    <Dialog onClose={() => edit.done === undefined && onClose()} title={title}>
      <EditForm {...props} edit={edit} />
    </Dialog>
  )
}
