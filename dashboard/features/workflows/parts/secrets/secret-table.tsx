import { Anchor, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import classes from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import { deleteSecret, secretsQuery, type WorkflowSecret } from '../../api/workflows.ts'
import { workflowPaths } from '../../paths.ts'

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

function Row({
  secret,
  onReplace,
  onRemove,
}: {
  secret: WorkflowSecret
  onReplace(): void
  onRemove(): void
}) {
  const { name, updatedAt, updatedBy, usedBy } = secret
  return (
    <tr>
      <th scope="row">
        <span className={`${classes.cut} ${classes.mono}`} title={name}>
          {name}
        </span>
      </th>
      <td className={classes.wide}>
        <span className={classes.cut} title={usedBy.map((one) => one.name).join(', ')}>
          <UsedBy usedBy={usedBy} />
        </span>
      </td>
      <td className={`${classes.fit} ${classes.wide}`}>
        <ColumnMoment value={updatedAt} />
        {updatedBy && <span className={classes.second}> by {updatedBy.name}</span>}
      </td>
      <td className={classes.rowAction}>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Button variant="default" onClick={onReplace} aria-label={`Replace ${name}`}>
            Replace
          </Button>
          <Button variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </Group>
      </td>
    </tr>
  )
}

interface SecretTableProps {
  secrets: readonly WorkflowSecret[]
  onReplace(name: string): void
}

export function SecretTable({ secrets, onReplace }: SecretTableProps) {
  const [doomed, setDoomed] = useState<WorkflowSecret>()
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={classes.wide}>
              Used by
            </th>
            <th scope="col" className={classes.wide}>
              Set
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {secrets.map((secret) => (
            <Row
              key={secret.name}
              secret={secret}
              onReplace={() => onReplace(secret.name)}
              onRemove={() => setDoomed(secret)}
            />
          ))}
        </tbody>
      </table>
      {doomed && <RemoveSecret secret={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}
