// The menu of a report: rename, copy, delete and other actions.
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CalendarClock, Copy, PencilLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { NameDialog } from '../../../shared/name-dialog.tsx'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import type { Report } from '../api/reports.ts'
import { reportPaths } from '../paths.ts'
import { DeleteReport } from './delete-report.tsx'
import { useReasonNotToChange } from './may-change.ts'
import { useReportChanges } from './use-report-changes.ts'

const ICON = { size: 14, 'aria-hidden': true } as const

interface ReportMenuProps {
  report: Pick<Report, 'id' | 'name' | 'creator'>
  /** Called after the report was deleted. */
  onDeleted?(): unknown
}

type Asking = 'name' | 'delete' | undefined

interface ItemsProps extends ReportMenuProps {
  ask(what: Asking): void
}

function Items({ report, ask }: ItemsProps) {
  const org = useOrg()
  const navigate = useNavigate()
  const { duplicate } = useReportChanges()
  const reason = useReasonNotToChange()(report)
  const copy = async () => {
    const { id } = await duplicate(report)
    await navigate({ to: reportPaths.report(org, id) })
  }
  const schedule = () =>
    void navigate({ to: reportPaths.report(org, report.id), search: { schedule: 1 } as never })
  const held = { disabled: reason !== undefined, title: reason }
  return (
    <>
      <Menu.Item leftSection={<PencilLine {...ICON} />} {...held} onClick={() => ask('name')}>
        Rename
      </Menu.Item>
      <Menu.Item leftSection={<Copy {...ICON} />} onClick={() => void copy().catch(toastError)}>
        Duplicate
      </Menu.Item>
      <Menu.Item leftSection={<CalendarClock {...ICON} />} onClick={schedule}>
        Schedule
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<Trash2 {...ICON} />} {...held} color="red" onClick={() => ask('delete')}>
        Delete report
      </Menu.Item>
    </>
  )
}

export function ReportMenu({ report, onDeleted }: ReportMenuProps) {
  const [asking, ask] = useState<Asking>()
  const { rename, remove } = useReportChanges()
  const close = () => ask(undefined)
  return (
    <>
      <MoreMenu width={200} label={`More for ${report.name}`}>
        <Items report={report} ask={ask} />
      </MoreMenu>
      {asking === 'name' && (
        <NameDialog
          title="Rename report"
          name={report.name}
          confirm="Rename report"
          onConfirm={(name) => rename(report, name)}
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <DeleteReport
          report={report}
          onConfirm={async () => {
            await remove(report)
            await onDeleted?.()
          }}
          onClose={close}
        />
      )}
    </>
  )
}
