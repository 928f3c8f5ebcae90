import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countedAll } from '../../../../contract/counted.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { DangerAction, DangerRow, DangerZone } from '../../../ui/sections.tsx'
import { attributeDeletionQuery, deleteAttribute, setAttributeActive } from '../api/attributes.ts'
import { useObjectChange, useRefreshObjects } from './use-object-change.ts'

interface DangerProps {
  object: string
  attribute: Attribute
}

function Activation({ object, attribute }: DangerProps) {
  const org = useOrg()
  const { isActive, id } = attribute
  const { submit, isBusy } = useObjectChange(() =>
    setAttributeActive(org, { object, id }, !isActive).catch(toastError),
  )
  return (
    <DangerRow
      title={isActive ? 'Deactivate' : 'Activate'}
      action={
        <Button variant="default" loading={isBusy} onClick={() => void submit(undefined)}>
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
      }
    >
      {isActive
        ? 'Hides the attribute and its values everywhere; nothing is lost.'
        : 'Shows the attribute and its values again.'}
    </DangerRow>
  )
}

/** undefined while values and views are being counted. */
function useConsequence({ object, attribute }: DangerProps): string | undefined {
  const { data } = useQuery(attributeDeletionQuery(useOrg(), { object, id: attribute.id }))
  if (!data) return undefined
  const removed = countedAll([[data.values, 'value']])
  const touched = countedAll([[data.views, 'view']])
  const values = removed ? `Removes ${removed} from records` : 'No record has a value'
  return touched ? `${values}; ${touched} lose this column or condition.` : `${values}.`
}

function Deletion({ object, attribute, onDeleted }: DangerProps & { onDeleted(): void }) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const consequence = useConsequence({ object, attribute })
  const remove = async () => {
    await deleteAttribute(org, { object, id: attribute.id })
    onDeleted()
    await refresh()
  }
  return (
    <DangerAction
      verb="Delete attribute"
      isDisabled={!consequence}
      ask={(close) => (
        <ConfirmDialog
          title={`Delete the attribute ${attribute.name}?`}
          confirm="Delete attribute"
          typed={attribute.name}
          onConfirm={remove}
          onClose={close}
        >
          {consequence} You can restore it with its values under “Deleted attributes”.
        </ConfirmDialog>
      )}
    >
      {consequence ?? 'Counting its values…'}
    </DangerAction>
  )
}

export function AttributeDanger({
  isStandard,
  onDeleted,
  ...props
}: DangerProps & { isStandard: boolean; onDeleted(): void }) {
  // A required standard attribute can be neither hidden nor deleted.
  if (isStandard && props.attribute.isRequired) return null
  return (
    <DangerZone isHarmless={isStandard}>
      <Activation {...props} />
      {!isStandard && <Deletion {...props} onDeleted={onDeleted} />}
    </DangerZone>
  )
}
