// A record that refers to the record of the page: its name, important values, and a button that removes the link.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { type CrmRecord, recordsKey } from '../../../shared/api/records.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useEditRecord } from '../../../shared/records/edit-record.ts'
import { PictureOr } from '../../../shared/records/record-picture.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { ValueView } from '../../../shared/values/value-view.tsx'
import { unlinkedValue } from './linked-value.ts'
import classes from './record.module.css'
import { type Referrer, tellingAttributes } from './referrers.ts'

export interface RelatedRecordProps {
  referrer: Referrer
  /** The record that refers to the page's record. */
  record: CrmRecord
  /** Id of the page's record. */
  recordId: string
  isReadOnly: boolean
}

function useUnlink({ referrer: { object, attribute }, record, recordId }: RelatedRecordProps, name: string) {
  const client = useQueryClient()
  const org = useOrg()
  const edit = useEditRecord(object.slug)
  const from = record.data[attribute.slug] ?? null
  const to = unlinkedValue(attribute, from, recordId)
  return async () => {
    await edit({ recordId: record.id, attribute, from, to, label: `${name} is unlinked` })
    await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
  }
}

function UnlinkButton(props: RelatedRecordProps & { name: string }) {
  const unlink = useUnlink(props, props.name)
  return (
    <Tooltip label="Unlink">
      <ActionIcon
        size="sm"
        className="revealed"
        aria-label={`Unlink ${props.name}`}
        onClick={() => void unlink()}
      >
        <Unlink size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

interface RecordCardProps {
  object: ObjectWithAttributes
  record: CrmRecord
  children?: ReactNode
}

/** Name and important values of a record; `children`: action buttons. */
export function RecordCard({ object, record, children }: RecordCardProps) {
  const name = recordName(namingAttribute(object.attributes), record)
  const telling = tellingAttributes(object, record.data)
  return (
    <li className={classes.related}>
      <PictureOr object={object.slug} recordId={record.id} name={name} size={20}>
        {null}
      </PictureOr>
      <div className="fill">
        <Link
          to={recordPaths.record(useOrg(), object.slug, record.id)}
          className="block truncate medium underlined"
          title={name}
        >
          {name}
        </Link>
        {telling.length > 0 && (
          <span className="row shrink gap-8 muted tiny nowrap">
            {telling.map((one) => (
              <span key={one.id} className="truncate">
                <ValueView attribute={one} value={record.data[one.slug]} />
              </span>
            ))}
          </span>
        )}
      </div>
      {children}
    </li>
  )
}

export function RelatedRecord(props: RelatedRecordProps) {
  const { record, isReadOnly } = props
  const { object, attribute } = props.referrer
  const name = recordName(namingAttribute(object.attributes), record)
  return (
    <RecordCard object={object} record={record}>
      {!isReadOnly && !attribute.isRequired && <UnlinkButton {...props} name={name} />}
    </RecordCard>
  )
}
