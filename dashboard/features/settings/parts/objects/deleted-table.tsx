// What was deleted and can be restored: a row each.
import { Button, Group, TextInput } from '@mantine/core'
import { SLUG_PATTERN } from '../../../../../contract/attribute-types.ts'
import { WithReason } from '../../../../ui/allowed.tsx'
import classes from '../../../../ui/data-table/data-table.module.css'
import { ColumnMoment } from '../../../../ui/time.tsx'

export interface Deleted {
  id: string
  name: string
  deletedAt: string
  deletedBy: { name?: string | undefined } | null
  purgeAt: string
  /** Why it cannot be restored. */
  reason?: string | undefined
}

export type Ask = (kind: 'restore' | 'purge', id: string) => void

function Actions({ item, onAsk }: { item: Deleted; onAsk: Ask }) {
  const { id, name, reason } = item
  const isRefused = reason !== undefined
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <WithReason reason={reason}>
        <Button
          variant="default"
          data-disabled={isRefused || undefined}
          aria-disabled={isRefused}
          aria-description={reason}
          onClick={() => !isRefused && onAsk('restore', id)}
          aria-label={`Restore ${name}`}
        >
          Restore
        </Button>
      </WithReason>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => onAsk('purge', id)}
        aria-label={`Delete permanently: ${name}`}
      >
        Delete permanently
      </Button>
    </Group>
  )
}

function Row({ item, onAsk }: { item: Deleted; onAsk: Ask }) {
  const { name, deletedAt, deletedBy, purgeAt } = item
  return (
    <tr>
      <th scope="row">
        <span className={classes.cut} title={name}>
          {name}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          Deleted <ColumnMoment value={deletedAt} />
          {deletedBy?.name && ` by ${deletedBy.name}`}
        </span>
      </th>
      <td className={`${classes.wide} ${classes.fit}`}>
        Kept until <ColumnMoment value={purgeAt} />
      </td>
      <td className={classes.rowAction}>
        <Actions item={item} onAsk={onAsk} />
      </td>
    </tr>
  )
}

/** @param heading of the column of names */
export function DeletedTable(props: { heading: string; items: readonly Deleted[]; onAsk: Ask }) {
  return (
    <table className={classes.table}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{props.heading}</th>
          <th scope="col" className={classes.wide}>
            Kept until
          </th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {props.items.map((item) => (
          <Row key={item.id} item={item} onAsk={props.onAsk} />
        ))}
      </tbody>
    </table>
  )
}

/** Another slug, where the own one is taken. */
export function OtherSlug(props: { taken: string; by: string; value: string; onChange(slug: string): void }) {
  return (
    <TextInput
      label="Slug"
      description={`Another ${props.by} has the slug ${props.taken} now.`}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      pattern={SLUG_PATTERN}
      title="Lowercase letters, digits and _, starting with a letter"
      ff="monospace"
      required
      data-autofocus
    />
  )
}
