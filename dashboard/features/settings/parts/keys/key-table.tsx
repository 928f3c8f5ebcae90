import { Button, Tooltip } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import classes from '../../../../ui/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'
import { type ApiKey, apiKeysQuery, deleteApiKey } from '../../api/api-keys.ts'
import { describeScopes, summarizeScopes } from './describe-scopes.ts'
import { expiryState } from './expiry.ts'

function Expiry({ at }: { at: string | null }) {
  const state = expiryState(at, Date.now())
  if (at === null) return <>Never</>
  if (state === 'later') return <ColumnMoment value={at} isDay />
  return (
    <span className={`tag tiny ${state === 'expired' ? 'danger' : 'warning'}`}>
      <TriangleAlert size={12} aria-label={state === 'expired' ? 'Expired' : 'Expires soon'} />
      <ColumnMoment value={at} isDay />
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
          last used <ColumnMoment value={apiKey.lastUsedAt} />
        </>
      ) : (
        'never used'
      )}
      . A deleted key cannot be restored.
    </ConfirmDialog>
  )
}

function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete(): void }) {
  const { name, prefix, scopes, createdBy, createdAt, lastUsedAt, expiresAt } = apiKey
  return (
    <tr data-muted={expiryState(expiresAt, Date.now()) === 'expired' || undefined}>
      <th scope="row">
        <span className={classes.cut} title={name}>
          {name}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          <code className={classes.mono}>{prefix}…</code>
          <span className={classes.narrow}> {summarizeScopes(scopes)}</span>
        </span>
      </th>
      <td className={classes.wide}>
        <Tooltip label={describeScopes(scopes)} multiline maw={320}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation is also for the keyboard */}
          <span className={classes.cut} tabIndex={0}>
            {summarizeScopes(scopes)}
          </span>
        </Tooltip>
      </td>
      <td className={classes.wide}>
        <span className={classes.cut} title={createdBy.email}>
          {createdBy.name}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          <ColumnMoment value={createdAt} />
        </span>
      </td>
      <td className={`${classes.wide} ${classes.fit}`}>
        {lastUsedAt ? <ColumnMoment value={lastUsedAt} /> : 'Never'}
      </td>
      <td className={classes.fit}>
        <Expiry at={expiresAt} />
      </td>
      <td className={classes.rowAction}>
        <Button variant="subtle" color="gray" onClick={onDelete} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      </td>
    </tr>
  )
}

export function KeyTable() {
  const { data: keys } = useSuspenseQuery(apiKeysQuery(useOrg()))
  const [doomed, setDoomed] = useState<ApiKey>()
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Name and first characters</th>
            <th scope="col" className={classes.wide}>
              Permissions
            </th>
            <th scope="col" className={classes.wide}>
              Created by
            </th>
            <th scope="col" className={classes.wide}>
              Last used
            </th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onDelete={() => setDoomed(apiKey)} />
          ))}
        </tbody>
      </table>
      {doomed && <DeleteKey apiKey={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}
