// The right of the page head: table or board, a menu of actions, and creating a record.
import { Button, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CopyCheck, Download, Kanban, Link2, Plus, Table2, Trash2, Upload } from 'lucide-react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { fullSearch, type ViewState } from '../../../shared/filters/view-state.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { importPaths } from '../../import/paths.ts'
import { duplicateCountQuery } from '../api/duplicates.ts'
import { groupable } from '../groupable.ts'
import { useExport } from '../selection/use-export.ts'
import { type ShownView, useGoTo } from '../view/use-view.ts'

interface ActionsProps {
  object: ObjectWithAttributes
  view: ShownView
}

const ICON = { size: 14, 'aria-hidden': true } as const

function KindToggle({ object, view }: ActionsProps) {
  const canGroup = groupable(object.attributes).length > 0
  const show = (kind: string) => view.change({ kind: kind as ViewState['kind'] })
  return (
    <SegmentedControl
      aria-label="Layout"
      value={view.state.kind}
      onChange={show}
      data={[
        { value: 'table', label: <KindLabel icon={Table2} name="Table" /> },
        { value: 'board', label: <KindLabel icon={Kanban} name="Board" />, disabled: !canGroup },
      ]}
    />
  )
}

function KindLabel({ icon: Icon, name }: { icon: typeof Table2; name: string }) {
  return (
    <span className="row gap-6">
      <Icon {...ICON} />
      <span className="hidden-narrow">{name}</span>
    </span>
  )
}

/** The link contains the whole state, so that it also works for users who may not see the view. */
function useCopyLink(view: ShownView) {
  const goTo = useGoTo()
  const copy = async () => {
    const search = { ...(view.saved && { view: view.saved.id }), ...fullSearch(view.state) }
    await goTo({ search, replace: true })
    await navigator.clipboard.writeText(window.location.href)
    toast('Link copied')
  }
  return () => void copy()
}

/** Loaded when the menu opens. */
function DuplicateCount({ object }: { object: string }) {
  const { data } = useQuery(duplicateCountQuery(useOrg(), object))
  return data ? <span className="muted tiny">{formatCount(data)}</span> : null
}

function PageMenu({ object, view }: ActionsProps) {
  const org = useOrg()
  const file = useExport(object, view)
  const copyLink = useCopyLink(view)
  return (
    <MoreMenu width={200} button={{ loading: file.isBusy }}>
      <Menu.Item
        component={Link}
        to={importPaths.import(org, object.slug)}
        leftSection={<Upload {...ICON} />}
        disabled={!object.isActive}
      >
        Import CSV
      </Menu.Item>
      <Menu.Item leftSection={<Download {...ICON} />} onClick={file.start}>
        Export CSV
      </Menu.Item>
      <Menu.Item leftSection={<Link2 {...ICON} />} onClick={copyLink}>
        Copy link
      </Menu.Item>
      <Menu.Item
        component={Link}
        to={recordPaths.duplicates(org, object.slug)}
        leftSection={<CopyCheck {...ICON} />}
        rightSection={<DuplicateCount object={object.slug} />}
      >
        Duplicates
      </Menu.Item>
      <Menu.Item component={Link} to={recordPaths.trash(org, object.slug)} leftSection={<Trash2 {...ICON} />}>
        Trash
      </Menu.Item>
    </MoreMenu>
  )
}

export function PageActions({ object, view }: ActionsProps) {
  const goTo = useGoTo()
  const label = object.isActive ? 'Create (C)' : 'This object is inactive: its records are read-only'
  return (
    <>
      <KindToggle object={object} view={view} />
      <PageMenu object={object} view={view} />
      <Tooltip label={label}>
        <Button
          leftSection={<Plus {...ICON} />}
          aria-keyshortcuts="C"
          disabled={!object.isActive}
          onClick={() => void goTo({ search: (previous) => ({ ...previous, create: 1 as const }) })}
        >
          Create
        </Button>
      </Tooltip>
    </>
  )
}
