// The result in the builder. The previous result stays, dimmed, until the next one is loaded.
import { Button, Group, Text } from '@mantine/core'
import { ChartColumn } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { PREVIEW_ROWS_MAX } from '../../../../contract/report-states.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { EmptyState, ErrorState } from '../../../shared/state.tsx'
import { PartPending } from '../../../ui/page-pending.tsx'
import { isDrawn } from '../chart/chart-data.ts'
import { ReportChart } from '../chart/report-chart.tsx'
import { ResultTable } from '../chart/result-table.tsx'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'
import type { Chart, Draft } from './builder-state.ts'
import type { Answer } from './use-preview.ts'

/** Shown before an object is chosen: offers objects. */
function Beginning() {
  const { models, act } = useBuilder()
  return (
    <EmptyState
      icon={ChartColumn}
      title="What do you want to report on?"
      action={
        <Group gap={8} justify="center" maw={560}>
          {models.map((object) => {
            const Icon = objectIcon(object.slug)
            return (
              <Button
                key={object.id}
                variant="default"
                leftSection={<Icon size={14} aria-hidden />}
                onClick={() => act({ does: 'source', object })}
              >
                {object.pluralName}
              </Button>
            )
          })}
        </Group>
      }
    >
      Choose the records to count, add up or list. Others can be joined to them.
    </EmptyState>
  )
}

/** The chart of the draft, without columns that the answer does not have. */
function chartFor(chart: Chart | undefined, keys: ReadonlySet<string>): Chart | undefined {
  if (!chart) return undefined
  const y = chart.y?.filter((key) => keys.has(key))
  return {
    type: chart.type,
    ...(chart.x !== undefined && keys.has(chart.x) && { x: chart.x }),
    ...(y && y.length > 0 && { y }),
    ...(chart.series !== undefined && keys.has(chart.series) && { series: chart.series }),
  }
}

function Drawn({ answer, results }: { answer: Answer; results: NonNullable<Answer['results']> }) {
  const { draft } = useBuilder()
  const chart = chartFor(draft.chart, new Set(results.columns.map(({ key }) => key)))
  const name = draft.name.trim() || 'New report'
  const definition: Draft = { ...answer.definition, name, ...(chart && { chart }) }
  const { length } = results.rows
  return (
    <>
      <ReportChart definition={definition} results={results} height={360} />
      {length > 0 && isDrawn(definition, results) && (
        <ResultTable definition={definition} results={results} />
      )}
      <Text c="dimmed">
        {results.truncated && length >= PREVIEW_ROWS_MAX
          ? `The preview shows the first ${counted(length, 'row')}.`
          : counted(length, 'row')}
      </Text>
    </>
  )
}

function Body() {
  const { preview } = useBuilder()
  const { answer, error, problems, retry } = preview
  if (answer?.results) return <Drawn answer={answer} results={answer.results} />
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />
  if (answer?.error) return <ErrorState error={new Error(answer.error)} onRetry={retry} />
  if (problems.length > 0)
    return (
      <EmptyState icon={ChartColumn} title="Not complete yet">
        The messages above say what is missing.
      </EmptyState>
    )
  return <PartPending />
}

function statusOf({ isStale, isBusy, problems }: ReturnType<typeof useBuilder>['preview']): string {
  if (problems.length > 0) return 'Not up to date: see the problems above'
  return isStale || isBusy ? 'Working…' : ''
}

export function Result() {
  const { draft, preview } = useBuilder()
  if (draft.source.objectId === '') return <Beginning />
  const { answer, error, isStale } = preview
  return (
    <section className={classes.result} aria-label="Result" aria-busy={preview.isBusy}>
      <Text size="xs" c="dimmed" pos="absolute" top={0} right={16} role="status">
        {answer ? statusOf(preview) : ''}
      </Text>
      {answer && error !== undefined && isStale && <ErrorState error={error} onRetry={preview.retry} />}
      <div className={classes.drawn} data-stale={isStale || undefined}>
        <Body />
      </div>
    </section>
  )
}
