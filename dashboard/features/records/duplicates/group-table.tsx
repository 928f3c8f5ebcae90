// Groups of duplicates: records, reasons and actions.
import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { duplicateRulesQuery } from '../../../shared/api/duplicate-rules.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { recordsKey } from '../../../shared/api/records.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { reasonText } from '../../../shared/records/duplicate-reasons.ts'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { ValueView } from '../../../shared/values/value-view.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { type DuplicateGroup, dismissDuplicates } from '../api/duplicates.ts'
import { MergeDialog } from '../merge/merge-dialog.tsx'

interface GroupProps {
  object: ObjectWithAttributes
  group: DuplicateGroup
}

/** The attribute that distinguishes records with the same name. */
const telling = ({ attributes }: ObjectWithAttributes) =>
  attributes.find(
    ({ type, isUnique }) => type === 'email' || type === 'domain' || (type === 'text' && isUnique),
  )

function Member({ object, record }: Pick<GroupProps, 'object'> & { record: CrmRecord }) {
  const attribute = telling(object)
  const value = attribute && record.data[attribute.slug]
  return (
    <span className={classes.cut}>
      <Link className={classes.titleLink} to={recordPaths.record(useOrg(), object.slug, record.id)}>
        {recordName(namingAttribute(object.attributes), record)}
      </Link>{' '}
      {attribute && !isEmpty(value) && (
        <span className="muted tiny">
          <ValueView attribute={attribute} value={value} />
        </span>
      )}
    </span>
  )
}

function Reasons({ object, group }: GroupProps) {
  const { data: rules = [] } = useQuery(duplicateRulesQuery(useOrg(), object.slug))
  return (
    <span className={`${classes.cut} ${classes.second}`} style={{ minHeight: '1.5em' }}>
      {reasonText(rules, group.reasons)}
    </span>
  )
}

/** Dismisses a group, or reverts that. */
function useDismiss(object: ObjectWithAttributes) {
  const org = useOrg()
  const client = useQueryClient()
  const set = async (id: string, isDismissed: boolean) => {
    try {
      await dismissDuplicates(org, object.slug, id, isDismissed)
    } finally {
      await client.invalidateQueries({ queryKey: [...recordsKey(org, object.slug), 'duplicates'] })
    }
  }
  return async ({ id, dismissedAt }: DuplicateGroup) => {
    const isDismissed = dismissedAt === null
    try {
      await set(id, isDismissed)
      const label = isDismissed ? 'Not duplicates: group dismissed' : 'Group listed again'
      pushUndo({ label, undo: () => set(id, !isDismissed).then(() => undefined) })
    } catch (error) {
      toastError(error)
    }
  }
}

interface ActionsProps extends GroupProps {
  onMerge(): void
  onDismiss(): void
}

function Actions({ object, group: { records, dismissedAt }, onMerge, onDismiss }: ActionsProps) {
  const names = records.map((record) => recordName(namingAttribute(object.attributes), record)).join(', ')
  const word = dismissedAt === null ? 'Not duplicates' : 'List again'
  return (
    <Group gap={4} justify="flex-end" miw={{ sm: 'max-content' }}>
      <Button variant="default" disabled={!object.isActive} onClick={onMerge} aria-label={`Merge ${names}`}>
        Merge
      </Button>
      <Button variant="subtle" color="gray" onClick={onDismiss} aria-label={`${word}: ${names}`}>
        {word}
      </Button>
    </Group>
  )
}

export function GroupTable({
  object,
  groups,
}: {
  object: ObjectWithAttributes
  groups: readonly DuplicateGroup[]
}) {
  const [merging, setMerging] = useState<DuplicateGroup>()
  const dismiss = useDismiss(object)
  const close = () => setMerging(undefined)
  const columns: Columns<DuplicateGroup> = [
    {
      title: 'Records',
      kind: 'name',
      cell: (group) => (
        <>
          {group.records.map((record) => (
            <Member key={record.id} object={object} record={record} />
          ))}
          <Reasons object={object} group={group} />
        </>
      ),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (group) => (
        <Actions
          object={object}
          group={group}
          onMerge={() => setMerging(group)}
          onDismiss={() => void dismiss(group)}
        />
      ),
    },
  ]
  return (
    <>
      <DataTable columns={columns} rows={groups} isHeadHidden />
      {merging && (
        <MergeDialog
          object={object}
          ids={merging.records.map(({ id }) => id)}
          onClose={close}
          onMerged={close}
        />
      )}
    </>
  )
}
