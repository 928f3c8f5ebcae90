// Merges 2 to 20 records: chooses the record that stays and the values it keeps, and shows what moves to it.

import { Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { listFormat } from '../../../../contract/language.ts'
import type { MergeBody, MergedRecord } from '../../../../contract/merge.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { type CrmRecord, recordQuery } from '../../../shared/api/records.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { ValueView } from '../../../shared/values/value-view.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { mergePreviewQuery } from '../api/merge.ts'
import { counted, plural } from '../table/counted.ts'
import { ChoiceGroup } from './choice-group.tsx'
import { ALL, type Chosen, defaultSource, differing, mergeBody } from './choices.ts'
import classes from './merge.module.css'
import { useMerge } from './use-merge.tsx'

interface MergeDialogProps {
  object: ObjectWithAttributes
  /** 2 to 20 ids. The first record stays unless the user chooses another. */
  ids: readonly string[]
  onClose(): void
  onMerged(winnerId: string): void
}

const listed = listFormat()

function movedText({ records, activities, files }: MergedRecord['moved'], name: string): string {
  const parts = [
    records > 0 && `${plural(records, 'reference', 'references')} from other records`,
    activities > 0 && plural(activities, 'activity', 'activities'),
    files > 0 && plural(files, 'file', 'files'),
  ].filter((part) => part !== false)
  if (parts.length === 0) return 'No other record, activity or file changes.'
  return `${listed.format(parts)} will move to ${name}.`
}

interface Asked extends Pick<MergeDialogProps, 'object'> {
  records: readonly CrmRecord[]
}

/** Shows what happens to the data of the other records. */
function Consequences({ object, body, name }: Pick<Asked, 'object'> & { body: MergeBody; name: string }) {
  const preview = useQuery({
    ...mergePreviewQuery(useOrg(), object.slug, body),
    placeholderData: keepPreviousData,
  })
  const { data, error } = preview
  if (error) return <FormError error={error} lead="These records cannot be merged like this" />
  return (
    <div aria-live="polite">
      {data ? (
        <Text>{movedText(data.moved, name)}</Text>
      ) : (
        <Skeleton height={16} my={3} width="70%" role="status" aria-label="Counting what moves" />
      )}
      <Text c="dimmed">
        {counted(object, body.loserIds.length)} will go to the trash; links to{' '}
        {body.loserIds.length === 1 ? 'it' : 'them'} will open {name}. This can be undone while the trash
        keeps {body.loserIds.length === 1 ? 'it' : 'them'}.
      </Text>
    </div>
  )
}

/** The state of the choices. */
function useChoices({ object, records }: Asked) {
  const [winnerId, setWinner] = useState(records[0]?.id ?? '')
  const [chosen, setChosen] = useState<Chosen>({})
  const choose = (slug: string, source: string) => setChosen((before) => ({ ...before, [slug]: source }))
  const sides = records.map(({ id, data }) => ({ id, data }))
  const body = mergeBody(object.attributes, { winnerId, sides, chosen })
  return { winnerId, setWinner, chosen, choose, sides, body }
}

function Values({ object, records, choices }: Asked & { choices: ReturnType<typeof useChoices> }) {
  const naming = namingAttribute(object.attributes)
  const { winnerId, setWinner, chosen, choose, sides } = choices
  const attributes = differing(object.attributes, sides)
  const same = object.attributes.length - attributes.length
  return (
    <>
      <div className={classes.values} style={{ '--records': records.length } as CSSProperties}>
        <ChoiceGroup
          name="Record that stays"
          value={winnerId}
          onChange={setWinner}
          options={records.map((record) => ({
            value: record.id,
            label: `Keep ${recordName(naming, record)}`,
            shown: (
              <>
                <span className="strong">{recordName(naming, record)}</span>{' '}
                <span className="muted tiny">
                  <ColumnTime value={record.createdAt} />
                </span>
              </>
            ),
          }))}
        />
        {attributes.map((attribute) => {
          const { slug, name, isList } = attribute
          const options = records.map((record) => ({
            value: record.id,
            label: `${name} of ${recordName(naming, record)}`,
            of: recordName(naming, record),
            shown: isEmpty(record.data[slug]) ? (
              <span className="muted">Empty</span>
            ) : (
              <ValueView attribute={attribute} value={record.data[slug]} />
            ),
          }))
          const all = { value: ALL, label: `${name} of all records`, shown: 'All of them' }
          return (
            <ChoiceGroup
              key={slug}
              name={name}
              value={chosen[slug] ?? defaultSource(slug, winnerId, sides)}
              onChange={(source) => choose(slug, source)}
              options={isList ? [...options, all] : options}
            />
          )
        })}
      </div>
      {same > 0 && (
        <Text c="dimmed" size="sm">
          {plural(same, 'attribute is', 'attributes are')} the same or empty.
        </Text>
      )}
    </>
  )
}

function Questions({
  object,
  records,
  onClose,
  onMerged,
}: Asked & Pick<MergeDialogProps, 'onClose' | 'onMerged'>) {
  const merge = useMerge(object)
  const choices = useChoices({ object, records })
  const { body, winnerId } = choices
  const winner = records.find(({ id }) => id === winnerId)
  const name = winner ? recordName(namingAttribute(object.attributes), winner) : ''
  const confirm = async () => {
    await merge(body, name)
    onMerged(winnerId)
  }
  const title = `Merge ${counted(object, records.length)}`
  return (
    <ConfirmDialog
      title={title}
      confirm={title}
      size="min(1100px, 96vw)"
      isHarmless
      onConfirm={confirm}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Values object={object} records={records} choices={choices} />
        <Consequences object={object} body={body} name={name} />
      </Stack>
    </ConfirmDialog>
  )
}

export function MergeDialog({ object, ids, onClose, onMerged }: MergeDialogProps) {
  const org = useOrg()
  const results = useQueries({ queries: ids.map((id) => recordQuery(org, object.slug, id)) })
  const [records, setRecords] = useState<readonly CrmRecord[]>()
  const loaded = results.flatMap(({ data }) => (data ? [data.body] : []))
  // Later changes by colleagues must not change the choices on screen.
  if (!records && loaded.length === ids.length) setRecords(loaded)
  const error = results.find((result) => result.error)?.error
  if (records) return <Questions object={object} records={records} onClose={onClose} onMerged={onMerged} />
  if (!error) return null
  return (
    <ConfirmDialog
      title="Merge"
      confirm="Close"
      isHarmless
      onConfirm={async () => undefined}
      onClose={onClose}
    >
      <FormError error={error} lead="Could not read the records" />
    </ConfirmDialog>
  )
}
