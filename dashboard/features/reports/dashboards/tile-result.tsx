// The content of a tile: the newest results of its report, or a button that runs it.
import { Box, Button, Group, Loader, Skeleton, Stack } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Play, TriangleAlert } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import type { ReportRun } from '../../../../contract/reports.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import type { TileReport } from '../api/report-dashboards.ts'
import { reportRunQuery } from '../api/reports.ts'
import { ReportChart } from '../chart/report-chart.tsx'

/** The number of rows of the shown run, and whether they were truncated. */
function Size({ run }: { run: ReportRun }) {
  const { data } = useQuery(reportRunQuery(useOrg(), run.reportId, run.id))
  const size = counted(run.resultCount, 'row')
  return data?.results?.truncated ? <>the first {size} only</> : size
}

const MESSAGE = {
  className: 'muted small',
  gap: 10,
  align: 'center',
  justify: 'center',
  h: '100%',
  ta: 'center',
} as const

function Chart({ run, height }: { run: ReportRun; height: number }) {
  const { data, error, refetch } = useQuery(reportRunQuery(useOrg(), run.reportId, run.id))
  if (error)
    return (
      <Stack {...MESSAGE} role="alert">
        <p>{messageOf(error)}</p>
        <Button variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Stack>
    )
  if (!data) return <Skeleton height={height} />
  if (!data.results) return null
  return <ReportChart definition={data.definition} results={data.results} height={height} />
}

interface TileResultProps {
  report: TileReport
  isRunning: boolean
  onRun(): void
}

function WithoutResults({ report, isRunning, onRun }: TileResultProps) {
  const failed = report.lastRun?.status === 'failed' ? report.lastRun.error : undefined
  return (
    <Stack {...MESSAGE}>
      <p>{failed ?? 'This report has not been run yet.'}</p>
      <Button
        variant="default"
        leftSection={<Play size={14} aria-hidden />}
        onClick={onRun}
        loading={isRunning}
      >
        Run
      </Button>
    </Stack>
  )
}

/** The time of the results, and the error of a later run. */
function Foot({ report, isRunning }: Omit<TileResultProps, 'onRun'>) {
  const { lastRun, lastCompleted } = report
  if (!lastCompleted) return null
  const failed = lastRun?.status === 'failed' ? lastRun : undefined
  return (
    <Group
      component="footer"
      className="fixed muted tiny"
      gap={8}
      justify="flex-end"
      wrap="nowrap"
      px={14}
      pt={6}
      pb={8}
    >
      {failed && (
        <span className="row fill gap-4 danger" title={failed.error ?? undefined}>
          <TriangleAlert size={12} aria-hidden />
          <span className="truncate">Last run failed: {failed.error}</span>
        </span>
      )}
      {isRunning ? (
        <span className="row gap-6">
          <Loader size={12} aria-hidden /> Running
        </span>
      ) : (
        <span className="fixed">
          <TimeAgo value={lastCompleted.startedAt} /> · <Size run={lastCompleted} />
        </span>
      )}
    </Group>
  )
}

const PADDING_PX = 8
const CHART_MIN_PX = 80

export function TileResult(props: TileResultProps) {
  const { report } = props
  const { ref, height } = useElementSize()
  const chartHeight = Math.max(CHART_MIN_PX, height - PADDING_PX)
  return (
    <>
      <Box ref={ref} className="grow scroll" px={14}>
        {report.lastCompleted ? (
          <Chart run={report.lastCompleted} height={chartHeight} />
        ) : (
          <WithoutResults {...props} />
        )}
      </Box>
      <Foot {...props} />
    </>
  )
}
