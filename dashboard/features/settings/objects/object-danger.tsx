import { Button, List } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { counted, countedAll } from '../../../../contract/counted.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { DangerAction, DangerRow, DangerZone } from '../../../ui/sections.tsx'
import {
  deleteObject,
  type ObjectDeletion,
  type ObjectOverview,
  objectDeletionQuery,
  patchObject,
} from '../api/object-administration.ts'
import { settingsPaths } from '../paths.ts'
import { useObjectChange, useRefreshObjects } from './use-object-change.ts'

function Activation({ object }: { object: ObjectOverview }) {
  const org = useOrg()
  const { isActive, slug } = object
  const { submit, isBusy } = useObjectChange(() =>
    patchObject(org, slug, { isActive: !isActive }).catch(toastError),
  )
  return (
    <DangerRow
      title={isActive ? 'Deactivate' : 'Activate'}
      action={
        <Button variant="default" loading={isBusy} onClick={() => void submit(undefined)}>
          {isActive ? 'Deactivate object' : 'Activate object'}
        </Button>
      }
    >
      {isActive
        ? 'Hides the object from the sidebar and makes its records read-only; nothing is lost.'
        : 'Shows the object again and allows changes of its records.'}
    </DangerRow>
  )
}

function consequenceOf({ records, attributes, views, activities }: ObjectDeletion): string {
  const removed = countedAll([
    [records, 'record'],
    [attributes, 'attribute'],
    [views, 'view'],
  ])
  const kept =
    activities > 0
      ? ` ${counted(activities, 'activity is', 'activities are')} no longer linked to its records.`
      : ''
  return `${removed ? `Removes ${removed}.` : 'This object has no records.'}${kept}`
}

/** An object cannot be deleted while attributes refer to it. */
function Referrers({ deletion }: { deletion: ObjectDeletion }) {
  const org = useOrg()
  return (
    <>
      These attributes refer to it: delete them first.
      <List size="sm" mt={4}>
        {deletion.referencedBy.map(({ attributeId, attributeSlug, objectSlug }) => (
          <List.Item key={attributeId}>
            <Link to={settingsPaths.settingsObject(org, objectSlug)}>
              {objectSlug}.{attributeSlug}
            </Link>
          </List.Item>
        ))}
      </List>
    </>
  )
}

function DeleteObject({ object, text, onClose }: { object: ObjectOverview; text: string; onClose(): void }) {
  const org = useOrg()
  const navigate = useNavigate()
  const refresh = useRefreshObjects()
  const remove = async () => {
    await deleteObject(org, object.slug)
    await navigate({ to: settingsPaths.settingsObjects(org) })
    await refresh()
  }
  return (
    <ConfirmDialog
      title={`Delete ${object.pluralName}?`}
      confirm="Delete object"
      typed={object.pluralName}
      onConfirm={remove}
      onClose={onClose}
    >
      {text} You can restore it under “Deleted objects”.
    </ConfirmDialog>
  )
}

function Deletion({ object }: { object: ObjectOverview }) {
  const { data: deletion } = useSuspenseQuery(objectDeletionQuery(useOrg(), object.slug))
  const isReferenced = deletion.referencedBy.length > 0
  const text = consequenceOf(deletion)
  return (
    <DangerAction
      verb="Delete object"
      isDisabled={isReferenced}
      ask={(close) => <DeleteObject object={object} text={text} onClose={close} />}
    >
      {isReferenced ? <Referrers deletion={deletion} /> : text}
    </DangerAction>
  )
}

/** For custom objects. */
export function ObjectDanger({ object }: { object: ObjectOverview }) {
  return (
    <DangerZone>
      <Activation object={object} />
      <Deletion object={object} />
    </DangerZone>
  )
}
