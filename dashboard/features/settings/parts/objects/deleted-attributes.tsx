// Deleted attributes of an object: restored with their values, or deleted permanently.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrashedAttribute } from '../../../../../contract/attribute-trash.ts'
import { SLUG_PATTERN } from '../../../../../contract/attribute-types.ts'
import { ConfirmDialog } from '../../../../shared/confirm-dialog.tsx'
import { toast } from '../../../../shared/toast.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { WithReason } from '../../../../ui/allowed.tsx'
import { counted } from '../../../../ui/counted.ts'
import classes from '../../../../ui/data-table.module.css'
import { Section } from '../../../../ui/sections.tsx'
import { Moment } from '../../../../ui/time.tsx'
import { purgeAttribute, restoreAttribute, trashedAttributesQuery } from '../../api/attributes.ts'
import { useRefreshObjects } from './use-object-change.ts'

interface DialogProps {
  object: string
  attribute: TrashedAttribute
  onClose(): void
}

function RestoreDialog({ object, attribute, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, name, slug, values, isSlugTaken } = attribute
  const [other, setOther] = useState(isSlugTaken ? `${slug}_2` : undefined)
  const restore = async () => {
    const restored = await restoreAttribute(org, { object, id }, other)
    await refresh()
    const rest =
      restored.values > 0 ? `; ${counted(restored.values, 'value')} will follow in the background` : ''
    toast(`${name} was restored${rest}`)
  }
  return (
    <ConfirmDialog
      title={`Restore the attribute ${name}?`}
      confirm="Restore attribute"
      onConfirm={restore}
      onClose={onClose}
    >
      <Stack gap="xs">
        {values === 0
          ? 'No record had a value.'
          : `Gives ${counted(values, 'value')} back to the records that have none since. References to deleted records do not return.`}
        {other !== undefined && (
          <TextInput
            label="Slug"
            description={`Another attribute has the slug ${slug} now.`}
            value={other}
            onChange={({ currentTarget }) => setOther(currentTarget.value)}
            pattern={SLUG_PATTERN}
            title="Lowercase letters, digits and _, starting with a letter"
            ff="monospace"
            required
            data-autofocus
          />
        )}
      </Stack>
    </ConfirmDialog>
  )
}

function PurgeDialog({ object, attribute, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, name, values } = attribute
  const purge = async () => {
    await purgeAttribute(org, { object, id })
    await refresh()
    toast(`${name} was deleted permanently`)
  }
  return (
    <ConfirmDialog
      title={`Delete the attribute ${name} permanently?`}
      confirm="Delete permanently"
      onConfirm={purge}
      onClose={onClose}
    >
      {values > 0 && `Its ${counted(values, 'value')} are deleted too. `}It cannot be restored any more.
    </ConfirmDialog>
  )
}

type Ask = (kind: 'restore' | 'purge', attribute: TrashedAttribute) => void

function Actions({ attribute, onAsk }: { attribute: TrashedAttribute; onAsk: Ask }) {
  const { name, isTargetDeleted } = attribute
  const reason = isTargetDeleted ? 'The object it referred to was deleted' : undefined
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <WithReason reason={reason}>
        <Button
          variant="default"
          data-disabled={isTargetDeleted || undefined}
          aria-disabled={isTargetDeleted}
          aria-description={reason}
          onClick={() => !isTargetDeleted && onAsk('restore', attribute)}
          aria-label={`Restore ${name}`}
        >
          Restore
        </Button>
      </WithReason>
      <Button
        variant="default"
        onClick={() => onAsk('purge', attribute)}
        aria-label={`Delete ${name} permanently`}
      >
        Delete
      </Button>
    </Group>
  )
}

function Row({ attribute, onAsk }: { attribute: TrashedAttribute; onAsk: Ask }) {
  const { name, deletedAt, deletedBy, purgeAt } = attribute
  return (
    <tr>
      <th scope="row">
        <span className={classes.cut} title={name}>
          {name}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          Deleted <Moment value={deletedAt} />
          {deletedBy && ` by ${deletedBy.name}`}
        </span>
      </th>
      <td className={`${classes.wide} ${classes.fit}`}>
        Kept until <Moment value={purgeAt} />
      </td>
      <td className={classes.rowAction}>
        <Actions attribute={attribute} onAsk={onAsk} />
      </td>
    </tr>
  )
}

/** For those who may change attributes; nothing when none was deleted. */
export function DeletedAttributes({ object }: { object: string }) {
  const { data: attributes = [] } = useQuery(trashedAttributesQuery(useOrg(), object))
  const [asked, setAsked] = useState<{ kind: 'restore' | 'purge'; attribute: TrashedAttribute }>()
  if (attributes.length === 0) return null
  const Asking = asked?.kind === 'restore' ? RestoreDialog : PurgeDialog
  return (
    <Section title="Deleted attributes" description="They can be restored with their values.">
      <table className={classes.table}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col" className={classes.wide}>
              Kept until
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {attributes.map((attribute) => (
            <Row
              key={attribute.id}
              attribute={attribute}
              onAsk={(kind, one) => setAsked({ kind, attribute: one })}
            />
          ))}
        </tbody>
      </table>
      {asked && <Asking object={object} attribute={asked.attribute} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}
