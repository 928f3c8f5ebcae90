// The name of the view in the page head. It opens a menu with all views and the actions for this view.
import { Menu } from '@mantine/core'
import { ChevronDown, Kanban, Lock, PencilLine, Plus, Table2, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { objectIcon } from '../../../shared/icons.ts'
import { NameDialog } from '../../../shared/name-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import type { View } from '../api/views.ts'
import { isDelivered } from '../own-records-view.ts'
import classes from '../page/records.module.css'
import type { ShownView } from './use-view.ts'
import { useViewChanges, type ViewChanges } from './use-view-changes.ts'

const ICON = { size: 14, 'aria-hidden': true } as const

interface SwitcherProps {
  object: ObjectWithAttributes
  view: ShownView
}

type Asking = 'name' | 'new' | 'delete' | undefined

function ViewItem({ one, view }: { one: View; view: ShownView }) {
  const Icon = one.kind === 'board' ? Kanban : Table2
  return (
    <Menu.Item
      leftSection={<Icon {...ICON} />}
      rightSection={
        one.isShared && !isDelivered(one) ? (
          <Users {...ICON} aria-label="Shared" aria-hidden={undefined} />
        ) : undefined
      }
      aria-current={one.id === view.saved?.id ? 'page' : undefined}
      fw={one.id === view.saved?.id ? 600 : undefined}
      onClick={() => view.open(one)}
    >
      {one.name}
    </Menu.Item>
  )
}

function OwnItems({ saved, changes, ask }: { saved: View; changes: ViewChanges; ask(what: Asking): void }) {
  const may = changes.mayChange(saved)
  const title = may ? undefined : `Only ${saved.createdBy.name}, admins and owners can change this view`
  const share = () => void changes.share(saved, !saved.isShared).catch(toastError)
  return (
    <>
      <Menu.Label>This view</Menu.Label>
      <Menu.Item
        leftSection={<PencilLine {...ICON} />}
        disabled={!may}
        title={title}
        onClick={() => ask('name')}
      >
        Rename
      </Menu.Item>
      <Menu.Item
        leftSection={saved.isShared ? <Lock {...ICON} /> : <Users {...ICON} />}
        disabled={!may}
        title={title}
        onClick={share}
      >
        {saved.isShared ? 'Make personal' : 'Share with everyone'}
      </Menu.Item>
      <Menu.Item
        leftSection={<Trash2 {...ICON} />}
        disabled={!may}
        title={title}
        color="red"
        onClick={() => ask('delete')}
      >
        Delete view
      </Menu.Item>
    </>
  )
}

function ViewDialogs({ asking, ask, object, view, changes }: SwitcherProps & Dialogs) {
  const { saved } = view
  const onClose = () => ask(undefined)
  if (asking === 'new')
    return (
      <NameDialog
        title="Save as a new view"
        name=""
        confirm="Save view"
        withShare
        onConfirm={changes.saveAsNew}
        onClose={onClose}
      />
    )
  if (!saved) return null
  if (asking === 'name')
    return (
      <NameDialog
        title="Rename view"
        name={saved.name}
        confirm="Rename view"
        onConfirm={(name) => changes.rename(saved, name)}
        onClose={onClose}
      />
    )
  if (asking !== 'delete') return null
  return (
    <ConfirmDialog
      title={`Delete ${saved.name}?`}
      confirm="Delete view"
      onConfirm={() => changes.remove(saved)}
      onClose={onClose}
    >
      {saved.isShared ? 'The view is deleted for everyone in the organization.' : 'Only you see this view.'}{' '}
      No {object.pluralName.toLowerCase()} are deleted.
    </ConfirmDialog>
  )
}

interface Dialogs {
  asking: Asking
  ask(what: Asking): void
  changes: ViewChanges
}

function Views({ object, view }: SwitcherProps) {
  const Icon = objectIcon(object.slug)
  return (
    <>
      <Menu.Item
        leftSection={<Icon {...ICON} />}
        aria-current={view.saved ? undefined : 'page'}
        onClick={() => view.open(undefined)}
      >
        All {object.pluralName.toLowerCase()}
      </Menu.Item>
      {view.delivered && <ViewItem one={view.delivered} view={view} />}
      {view.views.length > 0 && <Menu.Label>Saved views</Menu.Label>}
      {view.views.map((one) => (
        <ViewItem key={one.id} one={one} view={view} />
      ))}
      <Menu.Divider />
    </>
  )
}

export function ViewSwitcher({ object, view }: SwitcherProps) {
  const [asking, ask] = useState<Asking>()
  const changes = useViewChanges(object, view)
  const Icon = objectIcon(object.slug)
  const { saved } = view
  return (
    <>
      <h1 className="shrink">
        <Menu position="bottom-start" width={260}>
          <Menu.Target>
            <button type="button" className={classes.switcher}>
              <Icon className="muted" size={16} aria-hidden />
              <span className="truncate">
                {saved ? `${object.pluralName}: ${saved.name}` : object.pluralName}
              </span>
              <ChevronDown className="muted" size={14} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
            <Views object={object} view={view} />
            <Menu.Item leftSection={<Plus {...ICON} />} onClick={() => ask('new')}>
              Save as a new view
            </Menu.Item>
            {saved && !isDelivered(saved) && <OwnItems saved={saved} changes={changes} ask={ask} />}
          </Menu.Dropdown>
        </Menu>
      </h1>
      <ViewDialogs {...{ asking, ask, object, view, changes }} />
    </>
  )
}
