import { Anchor, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Line } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { deleteSecret, secretsQuery, type WorkflowSecret } from '../api/workflows.ts'
import { workflowPaths } from '../paths.ts'

function UsedBy({ usedBy, isInText = false }: Pick<WorkflowSecret, 'usedBy'> & { isInText?: boolean }) {
  const org = useOrg()
  if (usedBy.length === 0) return <>No workflow</>
  return usedBy.map(({ id, name }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <Anchor
        component={Link}
        to={workflowPaths.workflow(org, id)}
        inherit
        underline={isInText ? 'always' : 'hover'}
      >
        {name}
      </Anchor>
    </Fragment>
  ))
}

function RemoveSecret({ secret: { name, usedBy }, onClose }: { secret: WorkflowSecret; onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const remove = async () => {
    await deleteSecret(org, name)
    await client.invalidateQueries({ queryKey: secretsQuery(org).queryKey })
  }
  const isUsed = usedBy.length > 0
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirm="Remove secret"
      {...(isUsed && { typed: name })}
      onConfirm={remove}
      onClose={onClose}
    >
      {isUsed ? (
        <>
          <UsedBy usedBy={usedBy} isInText /> {usedBy.length === 1 ? 'uses' : 'use'} it: their HTTP requests
          fail without it.
        </>
      ) : (
        'No workflow uses it.'
      )}{' '}
      Its value cannot be restored.
    </ConfirmDialog>
  )
}

interface ActionsProps extends Pick<SecretTableProps, 'onReplace'> {
  name: string
  onRemove(): void
}

function Actions({ name, onReplace, onRemove }: ActionsProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button variant="default" onClick={() => onReplace(name)} aria-label={`Replace ${name}`}>
        Replace
      </Button>
      <Button variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </Group>
  )
}

interface SecretTableProps {
  secrets: readonly WorkflowSecret[]
  onReplace(name: string): void
}

export function SecretTable({ secrets, onReplace }: SecretTableProps) {
  const [removing, setRemoving] = useState<WorkflowSecret>()
  const columns: Columns<WorkflowSecret> = [
    {
      title: 'Name',
      kind: 'name',
      cell: ({ name }) => (
        <span className={`${classes.cut} ${classes.mono}`} title={name}>
          {name}
        </span>
      ),
    },
    {
      title: 'Used by',
      onlyWide: true,
      cell: ({ usedBy }) => (
        <Line title={usedBy.map((one) => one.name).join(', ')}>
          <UsedBy usedBy={usedBy} />
        </Line>
      ),
    },
    {
      title: 'Set',
      isFit: true,
      onlyWide: true,
      cell: ({ updatedAt, updatedBy }) => (
        <>
          <ColumnTime value={updatedAt} />
          {updatedBy && <span className={classes.second}> by {updatedBy.name}</span>}
        </>
      ),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (secret) => (
        <Actions name={secret.name} onReplace={onReplace} onRemove={() => setRemoving(secret)} />
      ),
    },
  ]
  return (
    <>
      <DataTable columns={columns} rows={secrets} rowId={({ name }) => name} />
      {removing && <RemoveSecret secret={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}
