// The date and size of a run, and downloads of its results.
import { Box, Button, Group, Menu, Tooltip } from '@mantine/core'
import { Download, FileSpreadsheet, FileText, Info } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import { type ReportRunWithResults, resultFileUrl } from '../api/reports.ts'
import { longTime } from './run-times.ts'

const FILES = [
  { format: 'csv', name: 'CSV', icon: FileText },
  { format: 'xlsx', name: 'Excel', icon: FileSpreadsheet },
] as const

function Files({ run }: { run: ReportRunWithResults }) {
  const org = useOrg()
  return (
    <Menu width={180}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={14} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FILES.map(({ format, name, icon: Icon }) => (
          <Menu.Item
            key={format}
            component="a"
            href={resultFileUrl(org, { reportId: run.reportId, runId: run.id, format })}
            download
            leftSection={<Icon size={14} aria-hidden />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Renders nothing for a run without results. */
export function RunFacts({ run, isLatest }: { run: ReportRunWithResults; isLatest: boolean }) {
  if (!run.results) return null
  const { truncated, executionMs } = run.results
  return (
    <Group justify="space-between" gap="8px 16px" mih={30}>
      <p className="muted small">
        {isLatest ? 'Last run' : 'Run'} <TimeAgo value={run.startedAt} />
        <span aria-hidden> · </span>
        {[counted(run.resultCount, 'row'), longTime(executionMs)].filter(Boolean).join(' · ')}
        {truncated && (
          <Tooltip label="Raise the limit of the report, or filter it">
            <Box component="span" className="inline gap-4" ml={12}>
              <Info size={14} aria-hidden /> there are more rows
            </Box>
          </Tooltip>
        )}
      </p>
      <Files run={run} />
    </Group>
  )
}
