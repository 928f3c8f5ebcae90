import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2, TriangleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { undoLink } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Line, SecondLine } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { ColumnTime } from '../../../ui/time.tsx'
import { type ApiKey, apiKeysQuery, deleteApiKey } from '../api/api-keys.ts'
import { describeScopes, summarizeScopes } from './describe-scopes.ts'
import { expiryState } from './expiry.ts'

function Expiry({ at }: { at: string | null }) {
  const state = expiryState(at, Date.now())
  if (at === null) return <>Never</>
  if (state === 'later') return <ColumnTime value={at} isDay />
  return (
    <span className={`tag tiny ${state === 'expired' ? 'danger' : 'warning'}`}>
      <TriangleAlert size={12} aria-label={state === 'expired' ? 'Expired' : 'Expires soon'} />
      <ColumnTime value={at} isDay />
    </span>
  )
}

function DeleteKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const remove = async () => {
    await deleteApiKey(org, { id: apiKey.id, confirmName: apiKey.name })
    await client.invalidateQueries({ queryKey: apiKeysQuery(org).queryKey })
  }
  return (
    <ConfirmDialog
      title="Delete this API key?"
      confirm="Delete key"
      typed={apiKey.name}
      onConfirm={remove}
      onClose={onClose}
    >
      Programs that use the key <code>{apiKey.prefix}…</code> stop working immediately. It was{' '}
      {apiKey.lastUsedAt ? (
        <>
          last used <ColumnTime value={apiKey.lastUsedAt} />
        </>
      ) : (
        'never used'
      )}
      . A deleted key cannot be restored.
    </ConfirmDialog>
  )
}

function Name({ apiKey: { name, prefix, scopes } }: { apiKey: ApiKey }) {
  return (
    <>
      <Line>{name}</Line>
      <SecondLine>
        <code className={classes.mono}>{prefix}…</code>
        <span className={classes.narrow}> {summarizeScopes(scopes)}</span>
      </SecondLine>
    </>
  )
}

function Permissions({ scopes }: Pick<ApiKey, 'scopes'>) {
  return (
    <Tooltip label={describeScopes(scopes)} multiline maw={320}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation is also for the keyboard */}
      <span className={classes.cut} tabIndex={0}>
        {summarizeScopes(scopes)}
      </span>
    </Tooltip>
  )
}

function Creator({ createdBy, createdAt }: Pick<ApiKey, 'createdBy' | 'createdAt'>) {
  return (
    <>
      <Line title={createdBy.email}>{createdBy.name}</Line>
      <SecondLine>
        <ColumnTime value={createdAt} />
      </SecondLine>
    </>
  )
}

function Actions({ apiKey: { id, name }, onDelete }: { apiKey: ApiKey; onDelete(): void }) {
  const org = useOrg()
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Tooltip label="Undo its changes of the last day">
        <ActionIcon
          variant="subtle"
          color="gray"
          component={Link}
          {...undoLink(org, { kind: 'apiKey', id, name })}
          aria-label={`Undo changes by ${name}`}
        >
          <Undo2 size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon variant="subtle" color="gray" onClick={onDelete} aria-label={`Delete ${name}`}>
          <Trash2 size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

const isExpired = ({ expiresAt }: ApiKey) => expiryState(expiresAt, Date.now()) === 'expired'

export function KeyTable() {
  const { data: keys } = useSuspenseQuery(apiKeysQuery(useOrg()))
  const [deleting, setDeleting] = useState<ApiKey>()
  const columns: Columns<ApiKey> = [
    { title: 'Name and first characters', kind: 'name', cell: (apiKey) => <Name apiKey={apiKey} /> },
    { title: 'Permissions', onlyWide: true, cell: ({ scopes }) => <Permissions scopes={scopes} /> },
    { title: 'Created by', onlyWide: true, cell: (apiKey) => <Creator {...apiKey} /> },
    {
      title: 'Last used',
      isFit: true,
      onlyWide: true,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <ColumnTime value={lastUsedAt} /> : 'Never'),
    },
    { title: 'Expires', isFit: true, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (apiKey) => <Actions apiKey={apiKey} onDelete={() => setDeleting(apiKey)} />,
    },
  ]
  return (
    <>
      <DataTable
        columns={columns}
        rows={keys}
        renderRow={(apiKey, cells) => <tr data-muted={isExpired(apiKey) || undefined}>{cells}</tr>}
      />
      {deleting && <DeleteKey apiKey={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
